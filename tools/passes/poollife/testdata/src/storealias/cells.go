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
