package returnalias

import (
	"bytes"
	"sync"
)

// A struct that is passed by value, and of which the function sets one field.

type scope struct {
	name string
	head []byte
}

type nested struct{ s scope }

var heads = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 500)) }}

func (s scope) with(key string) scope {
	b := heads.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(s.head)
	b.WriteString(key)
	s.head = b.Bytes()
	heads.Put(b)
	return s // want `memory of b is returned`
}

func (s scope) within(key string) nested {
	b := heads.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(s.head)
	b.WriteString(key)
	s.head = b.Bytes()
	b.Reset()
	heads.Put(b)
	return nested{s} // want `memory of b is returned`
}

func (s scope) copied(key string) scope {
	b := heads.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(s.head)
	b.WriteString(key)
	s.head = bytes.Clone(b.Bytes())
	heads.Put(b)
	return s
}

// What the field was set to first is in nothing that is returned.
func (s scope) measured(key string) (scope, int) {
	b := heads.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	old := s.head
	s.head = b.Bytes()
	n := len(s.head)
	s.head = old
	s.name = key
	heads.Put(b)
	return s, n
}
