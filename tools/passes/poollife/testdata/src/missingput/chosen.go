package missingput

import (
	"bytes"
	"io"
	"sync"
)

// Functions behind interfaces and in tables may put what they are given, whatever their names are.

var drafts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func draft() *bytes.Buffer {
	b := drafts.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

type ender interface{ over(*bytes.Buffer) }

type pooledEnder struct{}

func (pooledEnder) over(b *bytes.Buffer) { drafts.Put(b) }

var usual ender = pooledEnder{}

func endedBehind(w io.Writer) {
	b := draft()
	b.WriteTo(w)
	usual.over(b)
}

func endedByParam(w io.Writer, e ender) {
	b := draft()
	b.WriteTo(w)
	e.over(b)
}

var endings = map[string]func(*bytes.Buffer){
	"put":  func(b *bytes.Buffer) { drafts.Put(b) },
	"drop": func(b *bytes.Buffer) {},
}

func endedByName(w io.Writer, name string) {
	b := draft()
	b.WriteTo(w)
	if end, ok := endings[name]; ok {
		end(b)
	} else {
		drafts.Put(b)
	}
}

func endedByConstant(w io.Writer) {
	b := draft()
	b.WriteTo(w)
	endings["put"](b)
}

// Wrong: the methods that are called so only look at it.
type viewer interface{ view(*bytes.Buffer) }

type counter struct{ n int }

func (c *counter) view(b *bytes.Buffer) { c.n += b.Len() }

func viewedOnly(w io.Writer, v viewer) {
	b := draft() // want `is not put back`
	b.WriteTo(w)
	v.view(b)
}

func viewedOnOneWay(w io.Writer, v viewer, n int) {
	b := draft() // want `is not put back`
	b.WriteTo(w)
	if v.view(b); n == 0 {
		return
	}
	b.WriteTo(w)
	drafts.Put(b)
}
