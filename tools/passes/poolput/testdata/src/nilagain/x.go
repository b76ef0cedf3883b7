// Methods that put what a field holds, set it to nil, and are called again.
package nilagain

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

type deck struct {
	cards []byte
	marks [16]byte
}

var decks = sync.Pool{New: func() any { return new(deck) }}

// Wrong: whoever asks again at the end makes it put nil.
type dealer struct {
	d   *deck
	pos int
}

func (r *dealer) Read(p []byte) (int, error) {
	n := 0
	if r.d != nil {
		n = copy(p, r.d.cards[r.pos:])
		r.pos += n
	}
	if n == 0 {
		decks.Put(r.d) // want `r\.d, which is nil, is put in decks \(line 31\) on this path`
		r.d = nil
		return 0, io.EOF
	}
	return n, nil
}

// Wrong: the same with the Put in a helper, the field taken over first, and the test turned around.
type helped struct {
	d   *deck
	pos int
}

func (r *helped) finish() {
	d := r.d
	r.d = nil
	decks.Put(d)
}

func (r *helped) rest() []byte {
	if r.d == nil {
		return nil
	}
	return r.d.cards[r.pos:]
}

func (r *helped) Read(p []byte) (int, error) {
	rest := r.rest()
	if len(rest) > 0 {
		n := copy(p, rest)
		r.pos += n
		return n, nil
	}
	r.finish() // want `d, which is nil, is put in decks \(line 47\) on this path, so that a later Get returns it, when Read is called again`
	return 0, io.EOF
}

func (r *helped) Close() error {
	r.finish() // want `d, which is nil, is put in decks \(line 47\) on this path, so that a later Get returns it, when Close is called after Read`
	return nil
}

// Wrong: Close follows the last Next.
type walker struct {
	d *deck
	n int
}

func (w *walker) Next() bool {
	if w.n++; w.d == nil || w.n < len(w.d.cards) {
		return w.d != nil
	}
	decks.Put(w.d)
	w.d = nil
	return false
}

func (w *walker) Close() {
	decks.Put(w.d) // want `w\.d, which is nil, is put in decks \(line 89\) on this path, so that a later Get returns it, when Close is called after Next`
	w.d = nil
}

// Wrong: bodies are closed more than once.
type sheet struct {
	d *deck
	n int
}

func (s *sheet) Read(p []byte) (int, error) {
	if s.d == nil {
		return 0, io.ErrClosedPipe
	}
	n := copy(p, s.d.cards[s.n:])
	if s.n += n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (s *sheet) Close() error {
	decks.Put(s.d) // want `s\.d, which is nil, is put in decks \(line 111\) on this path, so that a later Get returns it, when Close is called again`
	s.d = nil
	return nil
}

func post(d *deck) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPost, "http://localhost/", nil)
	if err != nil {
		return nil, err
	}
	req.Body = &sheet{d: d}
	return http.DefaultClient.Do(req)
}

// Right: it asks first.
type askingDealer struct {
	d   *deck
	pos int
}

func (r *askingDealer) Read(p []byte) (int, error) {
	n := 0
	if r.d != nil {
		n = copy(p, r.d.cards[r.pos:])
		r.pos += n
	}
	if n > 0 {
		return n, nil
	}
	if r.d != nil {
		decks.Put(r.d)
		r.d = nil
	}
	return 0, io.EOF
}

// Right: the error stays.
type stickyDealer struct {
	d   *deck
	pos int
	err error
}

func (r *stickyDealer) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n := copy(p, r.d.cards[r.pos:])
	r.pos += n
	if n == 0 {
		decks.Put(r.d)
		r.d, r.err = nil, io.EOF
		return 0, r.err
	}
	return n, nil
}

// Right: a second Read fails before it comes to the Put.
type failingDealer struct {
	d   *deck
	pos int
}

func (r *failingDealer) Read(p []byte) (int, error) {
	n := copy(p, r.d.cards[r.pos:])
	if r.pos += n; n > 0 {
		return n, nil
	}
	decks.Put(r.d)
	r.d = nil
	return 0, io.EOF
}

// Right: the helper asks.
type askingHelper struct {
	d   *deck
	pos int
}

func (r *askingHelper) finish() {
	d := r.d
	if r.d = nil; d != nil {
		decks.Put(d)
	}
}

func (r *askingHelper) Read(p []byte) (int, error) {
	if r.d != nil && r.pos < len(r.d.cards) {
		n := copy(p, r.d.cards[r.pos:])
		r.pos += n
		return n, nil
	}
	r.finish()
	return 0, io.EOF
}

func (r *askingHelper) Close() error {
	r.finish()
	return nil
}

// Right: Next takes another one, and Close finds either.
type stepper struct {
	d *deck
	n int
}

func (w *stepper) Next() bool {
	if w.n++; w.n < len(w.d.cards) {
		return true
	}
	decks.Put(w.d)
	w.d = nil
	w.d = decks.Get().(*deck)
	return len(w.d.cards) > 0
}

func (w *stepper) Close() {
	decks.Put(w.d)
	w.d = nil
}

// Right: a flag tells.
type closedDealer struct {
	d    *deck
	done bool
}

var errDone = errors.New("done")

func (r *closedDealer) Read(p []byte) (int, error) {
	if r.done {
		return 0, errDone
	}
	n := copy(p, r.d.cards)
	r.end()
	return n, nil
}

func (r *closedDealer) end() {
	r.done = true
	decks.Put(r.d)
	r.d = nil
}

func (r *closedDealer) Close() error {
	if !r.done {
		r.end()
	}
	return nil
}

// Right: whoever is no body is closed once.
type album struct{ d *deck }

func (a *album) Close() error {
	decks.Put(a.d)
	a.d = nil
	return nil
}

// Right: what is read into is gone as well, and nobody comes so far.
type shuffler struct {
	in   io.Reader
	deck *[52]byte
	err  error
	at   int
}

var packs = sync.Pool{New: func() any { return new([52]byte) }}

func newShuffler(in io.Reader) *shuffler {
	return &shuffler{in: in, deck: packs.Get().(*[52]byte)}
}

func (s *shuffler) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	b := (*s.deck)[:26]
	n, err := s.in.Read(b)
	if n == 0 {
		return s.end(err)
	}
	return copy(p, b[:n]), nil
}

func (s *shuffler) end(err error) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	s.err = err
	packs.Put(s.deck)
	s.deck = nil
	return 0, err
}

// Right: it ends for an error, which all give it.
type cutter struct {
	deck *[52]byte
	err  error
	at   int
}

func (c *cutter) end(err error) {
	if c.err == nil {
		c.err = err
		packs.Put(c.deck)
		c.deck = nil
	}
}

func (c *cutter) Close() error {
	if c.err == nil {
		c.end(io.EOF)
	}
	return nil
}

func (c *cutter) endAndClose(err error) error {
	c.end(err)
	c.Close()
	return err
}

func openCutter(in io.Reader, seek func(io.Reader) (int, error)) (c *cutter, err error) {
	c = &cutter{deck: packs.Get().(*[52]byte)}
	if c.at, err = seek(in); err != nil {
		return nil, c.endAndClose(err)
	}
	if c.at < 0 {
		return nil, c.endAndClose(errDone)
	}
	return c, nil
}
