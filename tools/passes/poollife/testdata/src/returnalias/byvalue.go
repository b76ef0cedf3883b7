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

var scopeHeads = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 500)) }}

func (s scope) with(key string) scope {
	b := scopeHeads.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(s.head)
	b.WriteString(key)
	s.head = b.Bytes()
	scopeHeads.Put(b)
	return s // want `memory of b is returned`
}

func (s scope) within(key string) nested {
	b := scopeHeads.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(s.head)
	b.WriteString(key)
	s.head = b.Bytes()
	b.Reset()
	scopeHeads.Put(b)
	return nested{s} // want `memory of b is returned`
}

func (s scope) copied(key string) scope {
	b := scopeHeads.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(s.head)
	b.WriteString(key)
	s.head = bytes.Clone(b.Bytes())
	scopeHeads.Put(b)
	return s
}

// What the field was set to first is in nothing that is returned.
func (s scope) measured(key string) (scope, int) {
	b := scopeHeads.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	old := s.head
	s.head = b.Bytes()
	n := len(s.head)
	s.head = old
	s.name = key
	scopeHeads.Put(b)
	return s, n
}
