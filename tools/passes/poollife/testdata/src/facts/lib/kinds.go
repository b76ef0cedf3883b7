package lib

import "sync"

// Values of three kinds, each with a pool.
type Red struct{ Data []byte }
type Green struct{ Data []byte }
type Blue struct{ Data []byte }

var reds = sync.Pool{New: func() any { return new(Red) }}
var greens = sync.Pool{New: func() any { return new(Green) }}
var blues = sync.Pool{New: func() any { return new(Blue) }}

func NewRed() *Red     { return reds.Get().(*Red) }
func NewGreen() *Green { return greens.Get().(*Green) }
func NewBlue() *Blue   { return blues.Get().(*Blue) }

// Free forgets the blue ones.
func Free(v any) {
	switch v := v.(type) {
	case *Red:
		v.Data = v.Data[:0]
		reds.Put(v)
	case *Green:
		v.Data = v.Data[:0]
		greens.Put(v)
	}
}

// A Union has one of several kinds.
type Union struct {
	red   *Red
	green *Green
	text  string
}

func (u *Union) Set(v any) bool {
	switch v := v.(type) {
	case *Red:
		u.red = v
	case *Green:
		u.green = v
	case string:
		u.text = v
	default:
		return false
	}
	return true
}

// Release puts a red one, if there is one.
func (r *Red) Release() {
	if r != nil {
		r.Data = r.Data[:0]
		reds.Put(r)
	}
}

// An Entry is a pooled struct with a Union in it.
type Entry struct {
	Union Union
	N     int
}

var entries = sync.Pool{New: func() any { return new(Entry) }}

func NewEntry() *Entry { return entries.Get().(*Entry) }

func (e *Entry) Release() {
	e.Union.red.Release()
	*e = Entry{}
	entries.Put(e)
}

// Size keeps nothing.
func (u *Union) Size(v any) int {
	switch v := v.(type) {
	case *Red:
		return len(v.Data)
	case string:
		return len(v)
	}
	return 0
}
