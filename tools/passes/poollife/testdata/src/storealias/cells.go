package storealias

import (
	"bytes"
	"sync"
	"sync/atomic"
)

type snapshot struct{ vals map[string]int }

var snaps = sync.Pool{New: func() any { return &snapshot{vals: map[string]int{}} }}

type gauge struct{ cur atomic.Pointer[snapshot] }

func (g *gauge) publish(vals map[string]int) {
	s := snaps.Get().(*snapshot)
	clear(s.vals)
	for k, v := range vals {
		s.vals[k] = v
	}
	g.cur.Store(s) // want `field cur keeps memory of s after the value was put in snaps`
	snaps.Put(s)
}

func (g *gauge) exchange(vals map[string]int) {
	s := snaps.Get().(*snapshot)
	clear(s.vals)
	for k, v := range vals {
		s.vals[k] = v
	}
	if old := g.cur.Swap(s); old != nil {
		snaps.Put(old)
	}
}

var keyBufs = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

func walk(names []string, visit func(key []byte)) {
	for _, n := range names {
		bp := keyBufs.Get().(*[]byte)
		*bp = append((*bp)[:0], n...)
		visit(*bp)
		keyBufs.Put(bp)
	}
}

// The walker puts each key after the visit.
func keysOf(names []string) [][]byte {
	var out [][]byte
	walk(names, func(key []byte) { out = append(out, key) })
	return out // want `is returned after it was put in keyBufs`
}

func keysCopied(names []string) [][]byte {
	var out [][]byte
	walk(names, func(key []byte) { out = append(out, bytes.Clone(key)) })
	return out
}

// A sync.Map that is told of the end of what it has.

type ledger struct {
	inUse sync.Map
	free  sync.Pool
}

type tallied struct{ data [64]byte }

func (l *ledger) take() []byte {
	e, ok := l.free.Get().(*tallied)
	if !ok {
		e = new(tallied)
	}
	l.inUse.Store(&e.data[0], e)
	return e.data[:]
}

func (l *ledger) give(b []byte) {
	v, ok := l.inUse.LoadAndDelete(&b[0])
	if ok {
		l.free.Put(v.(*tallied))
	}
}

func (l *ledger) sum(in []byte) (n int) {
	e := l.free.Get().(*tallied)
	l.inUse.Store(e, true)
	for _, c := range e.data[:copy(e.data[:], in)] {
		n += int(c)
	}
	l.inUse.Delete(e)
	l.free.Put(e)
	return n
}

func (l *ledger) sumKept(in []byte) (n int) {
	e := l.free.Get().(*tallied)
	l.inUse.Store(e, true) // want `an element of a slice or map keeps memory of e after the value was put`
	for _, c := range e.data[:copy(e.data[:], in)] {
		n += int(c)
	}
	l.free.Put(e)
	return n
}
