package lifecycle

import "errors"

// Objects that are opened again after their end.

type tape struct {
	p    *page
	out  func([]byte) error
	used int
}

func newTape(out func([]byte) error) *tape { return &tape{p: pages.Get().(*page), out: out} }

func (t *tape) flush() error {
	if t == nil || t.used == 0 {
		return nil
	}
	n := t.used
	t.used = 0
	return t.out(t.p.b[:n])
}

func (t *tape) eject() {
	if t != nil {
		pages.Put(t.p) // want `put in pages a second time.*when Stop is called again after Start`
	}
}

type reel struct{ p *page }

func newReel() *reel { return &reel{pages.Get().(*page)} }

func (r *reel) eject() {
	if r != nil {
		pages.Put(r.p)
	}
}

type head struct{ at int }

// Deck leaves its tape where it is: played again, the next Stop ejects it once more.
type Deck struct {
	out  func([]byte) error
	head *head
	tape *tape
}

// Start begins to play, or to record.
func (d *Deck) Start(record bool) {
	if record {
		d.tape = newTape(d.out)
	}
	d.head = new(head)
}

// Stop ends it.
func (d *Deck) Stop() error {
	defer func() { d.tape.eject() }()
	if err := d.tape.flush(); err != nil {
		return err
	}
	d.head = nil
	return nil
}

// Booth is the same without a helper, and with a switch.
type Booth struct {
	head *head
	p    *page
}

// Open begins.
func (b *Booth) Open(kind int) error {
	switch kind {
	case 0:
		b.head = new(head)
	case 1:
		b.head, b.p = new(head), pages.Get().(*page)
	default:
		return errors.New("unknown kind")
	}
	return nil
}

// Close ends.
func (b *Booth) Close() {
	b.head = nil
	if b.p != nil {
		pages.Put(b.p) // want `put in pages a second time.*when Close is called again after Open`
	}
}

// ClearedDeck lets go of the tape.
type ClearedDeck struct {
	head *head
	tape *reel
}

// Start begins to play, or to record.
func (d *ClearedDeck) Start(record bool) {
	if record {
		d.tape = newReel()
	}
	d.head = new(head)
}

// Stop ends it.
func (d *ClearedDeck) Stop() error {
	d.tape.eject()
	d.head, d.tape = nil, nil
	return nil
}

// EitherDeck sets the tape whenever it starts.
type EitherDeck struct {
	head *head
	tape *reel
}

// Start begins to play, or to record.
func (d *EitherDeck) Start(record bool) {
	d.tape = nil
	if record {
		d.tape = newReel()
	}
	d.head = new(head)
}

// Stop ends it.
func (d *EitherDeck) Stop() error {
	d.tape.eject()
	d.head = nil
	return nil
}

// OnceDeck is never started again.
type OnceDeck struct {
	head *head
	tape *reel
}

// Start begins to play, or to record.
func (d *OnceDeck) Start(record bool) {
	if record {
		d.tape = newReel()
	}
	d.head = new(head)
}

// Stop ends it.
func (d *OnceDeck) Stop() error {
	d.tape.eject()
	return nil
}

// FlagDeck knows whether it records.
type FlagDeck struct {
	head      *head
	tape      *reel
	recording bool
}

// Start begins to play, or to record.
func (d *FlagDeck) Start(record bool) {
	if d.recording = record; record {
		d.tape = newReel()
	}
	d.head = new(head)
}

// Stop ends it.
func (d *FlagDeck) Stop() error {
	d.head = nil
	if !d.recording {
		return nil
	}
	d.tape.eject()
	return nil
}
