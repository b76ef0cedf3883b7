package lifecycle

import "sync"

// A shelf is a pool whose values know it.
type shelf struct{ p sync.Pool }

type frond struct {
	b    [64]byte
	home *shelf
}

func newShelf() *shelf {
	s := &shelf{}
	s.p.New = func() any { return &frond{home: s} }
	return s
}

func (s *shelf) grab() *frond { return s.p.Get().(*frond) }
func (l *frond) drop()        { l.home.p.Put(l) }

// A bunch is shared; its last user drops the frond.
type bunch struct {
	mu sync.Mutex
	n  int
	l  *frond
}

func (b *bunch) add() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
}

func (b *bunch) sub() {
	b.mu.Lock()
	b.n--
	end := b.n == 0
	b.mu.Unlock()
	if end {
		b.l.drop()
	}
}

type forest struct{ leaves *shelf }

func (f *forest) twice(fill func([]byte) error) error {
	l := f.leaves.grab()
	defer l.drop() // want `b is put in home a second time`
	b := &bunch{l: l}
	b.add()
	defer b.sub()
	return fill(l.b[:])
}

func (f *forest) once(fill func([]byte) error) error {
	l := f.leaves.grab()
	if err := fill(l.b[:]); err != nil {
		l.drop()
		return err
	}
	b := &bunch{l: l}
	b.add()
	defer b.sub()
	return fill(l.b[:])
}

// A tree counts its own users: a second end is the count's affair.
type tree struct {
	n    int
	home *shelf
}

var trees = sync.Pool{New: func() any { return new(tree) }}

func (t *tree) sub() {
	t.n--
	if t.n == 0 {
		trees.Put(t)
	}
}

func useTree() {
	t := trees.Get().(*tree)
	t.n = 2
	defer t.sub()
	t.sub()
}
