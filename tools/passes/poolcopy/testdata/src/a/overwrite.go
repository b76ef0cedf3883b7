package a

import "sync"

type encoder struct {
	level int
	bufs  sync.Pool
	inner struct{ heads sync.Pool }
	spare sync.Pool
	once  sync.Once
}

func newEncoder(level int) *encoder {
	e := &encoder{}
	e.bufs = sync.Pool{New: func() any { return new([64]byte) }}
	e.spare.New = func() any { return new(int) }
	e.SetHeads(8)
	e.InitSpare()
	e.SetLevel(level)
	return e
}

// SetLevel replaces the pool while goroutines may have values of it.
func (e *encoder) SetLevel(n int) {
	if n == e.level {
		return
	}
	e.level = n
	e.bufs = sync.Pool{New: func() any { return make([]byte, n) }} // want `e.bufs is overwritten with a new sync.Pool in use`
}

// SetHeads is called by the constructor, and by anybody later.
func (e *encoder) SetHeads(n int) {
	e.inner.heads = newLocalOf(n) // want `e.inner.heads is overwritten with a new sync.Pool in use`
}

// Only New is replaced.
func (e *encoder) SetSpare(n int) {
	e.spare.New = func() any { return make([]byte, n) }
}

func newLocalOf(n int) sync.Pool { return sync.Pool{New: func() any { return make([]byte, n) }} }

// InitSpare is what the name says: first.
func (e *encoder) InitSpare() {
	e.spare = sync.Pool{New: func() any { return new(int) }}
}

// Lazily, once.
func (e *encoder) Lazy() {
	e.once.Do(func() { e.spare = sync.Pool{New: func() any { return new(int) }} })
}

// Where there is none.
func (e *encoder) Ensure() {
	if e.spare.New == nil {
		e.spare = sync.Pool{New: func() any { return new(int) }}
	}
}

// A step of the constructor.
func (e *encoder) fill() { e.bufs = sync.Pool{} }

// An object of its own.
func (e *encoder) Clone() *encoder {
	c := &encoder{level: e.level}
	c.bufs = sync.Pool{New: func() any { return new([64]byte) }}
	return c
}

// A setter that is the only way to give the object a pool.
type lateInit struct{ p sync.Pool }

func (l *lateInit) Use(n int) { l.p = sync.Pool{New: func() any { return make([]byte, n) }} }
