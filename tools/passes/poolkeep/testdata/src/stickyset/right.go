package stickyset

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"sync"

	"stickyset/jars"
)

// Told for each use.

var always = sync.Pool{New: func() any {
	e := new(each)
	e.enc = json.NewEncoder(&e.buf)
	return e
}}

type each struct {
	buf bytes.Buffer
	enc *json.Encoder
}

func print(v any, pretty bool, w io.Writer) error {
	e := always.Get().(*each)
	defer always.Put(e)
	e.buf.Reset()
	indent := ""
	if pretty {
		indent = "\t"
	}
	e.enc.SetIndent("", indent)
	if err := e.enc.Encode(v); err != nil {
		return err
	}
	if e.buf.Len() > 1<<16 {
		e.buf = bytes.Buffer{}
	}
	_, err := e.buf.WriteTo(w)
	return err
}

// Taken back.

type back struct {
	l    *log.Logger
	used int
}

var backs = sync.Pool{New: func() any { return &back{l: log.New(io.Discard, "", 0)} }}

func say(msg string, loud bool) {
	b := backs.Get().(*back)
	if loud {
		b.l.SetPrefix("! ")
	}
	b.l.Print(msg)
	b.l.SetPrefix("")
	backs.Put(b)
}

// Made anew for each use.

type anew struct {
	enc *json.Encoder
	n   int
}

var anews = sync.Pool{New: func() any { return new(anew) }}

func write(w io.Writer, v any, pretty bool) error {
	a := anews.Get().(*anew)
	defer anews.Put(a)
	a.enc = json.NewEncoder(w)
	if pretty {
		a.enc.SetIndent("", "\t")
	}
	err := a.enc.Encode(v)
	a.enc = nil
	return err
}

// Set back where it is released, out of view.

func label(s string, n int) string {
	j := jars.Take()
	defer jars.Release(j)
	j.Add(s)
	j.SetMaxSize(n)
	return j.String()
}
