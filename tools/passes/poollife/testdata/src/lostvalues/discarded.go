package lostvalues

import (
	"sync"
	"time"
)

// Elements that only the container has are deleted, or cut off, without a Put.

type entry struct {
	key  string
	at   time.Time
	done chan struct{}
}

var entries = sync.Pool{New: func() any { return &entry{done: make(chan struct{}, 1)} }}

type lostEntries struct {
	byKey map[string]*entry
	line  []*entry
}

func (l *lostEntries) add(key string) {
	e := entries.Get().(*entry)
	e.key = key
	l.byKey[key] = e
}

func (l *lostEntries) push(key string) {
	e := entries.Get().(*entry)
	e.key = key
	l.line = append(l.line, e)
}

func (l *lostEntries) remove(key string) {
	delete(l.byKey, key) // want `remove lets go of values in byKey that were taken from entries`
}

func (l *lostEntries) expire(now time.Time) {
	for k, e := range l.byKey {
		if now.Sub(e.at) > time.Minute {
			delete(l.byKey, k) // want `expire lets go of values in byKey`
		}
	}
}

func (l *lostEntries) trim(key string) {
	n := 0
	for n < len(l.line) && l.line[n].key != key {
		n++
	}
	l.line = l.line[n:] // want `trim lets go of values in line`
}

func (l *lostEntries) free() {
	for _, e := range l.byKey {
		entries.Put(e)
	}
	for _, e := range l.line {
		entries.Put(e)
	}
	clear(l.byKey)
	l.line = nil
}

type putEntries struct {
	byKey map[string]*entry
	line  []*entry
}

func (l *putEntries) add(key string) {
	e := entries.Get().(*entry)
	e.key = key
	l.byKey[key] = e
}

func (l *putEntries) push(key string) {
	e := entries.Get().(*entry)
	e.key = key
	l.line = append(l.line, e)
}

func (l *putEntries) unlink(key string) { delete(l.byKey, key) }

func (l *putEntries) remove(key string) {
	e := l.byKey[key]
	l.unlink(key)
	if e != nil {
		entries.Put(e)
	}
}

func (l *putEntries) pop() *entry {
	e := l.line[0]
	l.line = l.line[1:]
	return e
}

func (l *putEntries) trim(n int) {
	for _, e := range l.line[:n] {
		entries.Put(e)
	}
	l.line = l.line[n:]
}

// Who adds an entry has it as well, and puts it.
type waiting struct{ byKey map[string]*entry }

func (w *waiting) add(key string) *entry {
	e := entries.Get().(*entry)
	e.key = key
	w.byKey[key] = e
	return e
}

func (w *waiting) cancel(key string) { delete(w.byKey, key) }

func (w *waiting) reap(key string) { entries.Put(w.byKey[key]) }

func (w *waiting) wait(key string, stop chan struct{}) {
	e := w.add(key)
	select {
	case <-e.done:
	case <-stop:
	}
	w.cancel(key)
	entries.Put(e)
}

// What is cleared away is lost like what is deleted, also where a method gives what it copied out of an element.
type clearedEntries struct{ byKey map[string]*entry }

func (c *clearedEntries) Add(key string) {
	e := entries.Get().(*entry)
	e.key = key
	c.byKey[key] = e
}

func (c *clearedEntries) Take(key string, dst []byte) []byte {
	if e := c.byKey[key]; e != nil {
		dst = append(dst, e.key...)
		delete(c.byKey, key)
		entries.Put(e)
	}
	return dst
}

func (c *clearedEntries) Drop() {
	clear(c.byKey) // want `Drop lets go of values in byKey that were taken from entries`
}

// All were put before, here or where it is called.
type drainedEntries struct{ byKey map[string]*entry }

func (d *drainedEntries) Add(key string) {
	e := entries.Get().(*entry)
	e.key = key
	d.byKey[key] = e
}

func (d *drainedEntries) Drop() {
	for _, e := range d.byKey {
		entries.Put(e)
	}
	clear(d.byKey)
}

func (d *drainedEntries) putAll() {
	for _, e := range d.byKey {
		entries.Put(e)
	}
}

func (d *drainedEntries) empty() { clear(d.byKey) }

func (d *drainedEntries) Close() {
	d.putAll()
	d.empty()
}

// Who called Take has it still, when all are cleared.
type takenEntries struct{ byKey map[string]*entry }

func (t *takenEntries) Add(key string) {
	e := entries.Get().(*entry)
	e.key = key
	t.byKey[key] = e
}

func (t *takenEntries) Take(key string) *entry { return t.byKey[key] }

func (t *takenEntries) Put(key string) { entries.Put(t.byKey[key]) }

func (t *takenEntries) Drop() { clear(t.byKey) }
