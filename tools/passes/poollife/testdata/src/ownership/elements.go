package ownership

import "io"

// Elements that one method puts and leaves, and the last one puts again.
type tape struct {
	reels []*slot
	by    map[int]*slot
	at    int
}

func (t *tape) Rewind() {
	for _, s := range t.reels {
		slots.Put(s)
	}
}

func (t *tape) Close() error {
	for _, s := range t.reels {
		slots.Put(s) // want `s is put in slots a second time`
	}
	return nil
}

type tapeCut struct{ reels []*slot }

func (t *tapeCut) Rewind() {
	for _, s := range t.reels {
		slots.Put(s)
	}
	t.reels = t.reels[:0]
}

func (t *tapeCut) Close() error {
	for _, s := range t.reels {
		slots.Put(s)
	}
	return nil
}

// Each reel is put as it is read, and the rest at the end.
type tapeAt struct {
	reels []*slot
	at    int
}

func (t *tapeAt) Read(p []byte) (int, error) {
	if t.at == len(t.reels) {
		return 0, io.EOF
	}
	s := t.reels[t.at]
	t.at++
	n := copy(p, s.b)
	slots.Put(s)
	return n, nil
}

func (t *tapeAt) Close() error {
	for ; t.at < len(t.reels); t.at++ {
		slots.Put(t.reels[t.at])
	}
	return nil
}

func (t *tape) free() {
	for _, s := range t.by {
		slots.Put(s)
	}
}

func play2(f func(*tape) error) error {
	t := &tape{by: map[int]*slot{0: slots.Get().(*slot)}}
	defer t.free() // want `s is put in slots a second time|t is put in slots a second time`
	if err := f(t); err != nil {
		t.free()
		return err
	}
	return nil
}

func play1(f func(*tape) error) error {
	t := &tape{by: map[int]*slot{0: slots.Get().(*slot)}}
	defer t.free()
	return f(t)
}
