package alone

import (
	"sync"
	"sync/atomic"
)

type leaf struct {
	refs atomic.Int32
	raw  []byte
}

var leaves = sync.Pool{New: func() any { return new(leaf) }}

func read(src []byte) *leaf {
	l := leaves.Get().(*leaf)
	l.raw = append(l.raw[:0], src...)
	l.refs.Store(1)
	return l
}

func (l *leaf) drop() {
	if l.refs.Add(-1) == 0 {
		leaves.Put(l)
	}
}

type walker struct {
	at  *leaf
	val []byte
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

func (w *walker) end() {
	if w.at != nil {
		w.at.drop()
	}
	*w = walker{}
	walkers.Put(w)
}

// The walker is of a pool too, and nobody else's.
func first(src []byte) []byte {
	w := walkers.Get().(*walker)
	w.at = read(src)
	defer w.end()
	w.val = w.at.raw[1:]
	return w.val // want `memory of w is returned while the deferred call puts it in leaves`
}

func firstByHand(src []byte) []byte {
	w := walkers.Get().(*walker)
	w.at = read(src)
	b := w.at.raw
	w.at.drop()
	w.at = nil
	walkers.Put(w)
	return b[:1] // want `memory of w.at is returned after it was put in leaves`
}

// A copy.
func firstCopied(src []byte) []byte {
	w := walkers.Get().(*walker)
	w.at = read(src)
	defer w.end()
	return append([]byte(nil), w.at.raw[1:]...)
}

// A second reference is taken for the result.
func (l *leaf) share() *leaf { l.refs.Add(1); return l }

func firstShared(src []byte) *leaf {
	w := walkers.Get().(*walker)
	w.at = read(src)
	defer w.end()
	return w.at.share()
}

// The walker is in a table as well, through which others may count.
var table = map[string]*walker{}

func firstListed(name string, src []byte) []byte {
	w := walkers.Get().(*walker)
	w.at = read(src)
	table[name] = w
	b := w.at.raw
	w.at.drop()
	return b
}
