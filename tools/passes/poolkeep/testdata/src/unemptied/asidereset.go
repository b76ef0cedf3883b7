package unemptied

import (
	"bytes"
	"encoding/gob"
	"sync"
)

// The values of a session, which only Destroy empties.

type values struct {
	sync.RWMutex
	of map[string]string
}

var valuesPool = sync.Pool{New: func() any { return &values{of: map[string]string{}} }}

func (v *values) Reset() {
	v.Lock()
	defer v.Unlock()
	clear(v.of)
}

func (v *values) set(key, value string) {
	v.Lock()
	defer v.Unlock()
	v.of[key] = value
}

type visit struct {
	values *values
	save   func([]byte) error
}

func newVisit(raw []byte, save func([]byte) error) (*visit, error) {
	v := &visit{values: valuesPool.Get().(*values), save: save}
	if err := v.decode(raw); err != nil {
		v.release()
		return nil, err
	}
	return v, nil
}

func openVisit(raw []byte, save func([]byte) error) (*visit, error) {
	v := takeVisit(save)
	if err := v.decode(raw); err != nil {
		v.release()
		return nil, err
	}
	return v, nil
}

func takeVisit(save func([]byte) error) *visit {
	return &visit{values: valuesPool.Get().(*values), save: save}
}

func (v *visit) decode(raw []byte) error {
	return gob.NewDecoder(bytes.NewReader(raw)).Decode(&v.values.of)
}

func (v *visit) destroy() error {
	v.values.Reset()
	return v.save(nil)
}

func (v *visit) store() error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v.values.of); err != nil {
		return err
	}
	return v.save(b.Bytes())
}

func (v *visit) release() {
	valuesPool.Put(v.values) // want `field of of the pooled values is filled \(line 37\) and put here without Reset, which newVisit does not call`
	v.values = nil
}

// Emptied by whoever is done with it, before it is put: nothing puts it when it was filled but such.

type memos struct{ of map[string]string }

var memosPool = sync.Pool{New: func() any { return &memos{of: map[string]string{}} }}

func (n *memos) Reset() { clear(n.of) }

func (n *memos) set(key, value string) { n.of[key] = value }

func takeMemos(ok bool) *memos {
	n := newMemos()
	if !ok {
		giveMemos(n) // nothing is in it
		return nil
	}
	n.set("a", "b")
	return n
}

func newMemos() *memos { return memosPool.Get().(*memos) }

func giveMemos(n *memos) { memosPool.Put(n) }

func copyMemos(enc *gob.Encoder) error {
	n := takeMemos(true)
	err := enc.Encode(n.of)
	n.Reset()
	giveMemos(n)
	return err
}

// Emptied where it is taken.

type tallies struct{ of map[string]string }

var marksPool = sync.Pool{New: func() any { return &tallies{of: map[string]string{}} }}

func (m *tallies) Reset() { clear(m.of) }

func (m *tallies) set(key, value string) { m.of[key] = value }

func takeMarks() *tallies {
	m := marksPool.Get().(*tallies)
	m.Reset()
	return m
}

func giveMarks(m *tallies) { marksPool.Put(m) }

func copyMarks(enc *gob.Encoder) error {
	m := takeMarks()
	m.set("a", "b")
	err := enc.Encode(m.of)
	giveMarks(m)
	return err
}
