package returnalias

import (
	"bytes"
	"sync"
)

// A method's value has the receiver.

var titles = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func titleFunc(s string) func() string {
	b := titles.Get().(*bytes.Buffer)
	defer titles.Put(b)
	b.Reset()
	b.WriteString(s)
	return b.String // want `memory of b is returned`
}

func titleOf(s string) func() string {
	b := titles.Get().(*bytes.Buffer)
	defer titles.Put(b)
	b.Reset()
	b.WriteString(s)
	title := b.String()
	return func() string { return title }
}
