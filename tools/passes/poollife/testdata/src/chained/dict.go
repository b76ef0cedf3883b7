package chained

import (
	"io"
	"strconv"
	"sync"
)

// A builder's steps each take one of two ways, and return it.

type line struct {
	text []byte
	to   io.Writer
}

var freeLines = sync.Pool{New: func() any { return &line{text: make([]byte, 0, 500)} }}

func begin(w io.Writer) *line {
	l := freeLines.Get().(*line)
	l.text = append(l.text[:0], '{')
	l.to = w
	return l
}

func (l *line) key(k string) *line {
	if l.text[len(l.text)-1] != '{' {
		l.text = append(l.text, ',')
	}
	l.text = strconv.AppendQuote(l.text, k)
	l.text = append(l.text, ':')
	return l
}

func (l *line) set(k, v string) *line {
	l.key(k).text = strconv.AppendQuote(l.text, v)
	return l
}

// with takes over what it is given.
func (l *line) with(k string, in *line) *line {
	in.text = append(in.text, '}')
	l.key(k).text = append(l.text, in.text...)
	freeLines.Put(in)
	return l
}

func (l *line) send(s string) {
	l.set("message", s)
	l.text = append(l.text, '}', '\n')
	l.to.Write(l.text)
	freeLines.Put(l)
}

type service struct {
	log           io.Writer
	name, version string
}

func (s *service) run(listen func() error) error {
	build := begin(nil).set("name", s.name).set("version", s.version)
	begin(s.log).with("build", build).send("starting")
	if err := listen(); err != nil {
		return err
	}
	begin(s.log).with("build", build).send("listening") // want `build is put in freeLines a second time`
	return nil
}

func (s *service) runAnew(listen func() error) error {
	build := func() *line { return begin(nil).set("name", s.name).set("version", s.version).set("of", s.name) }
	begin(s.log).with("build", build()).send("starting")
	if err := listen(); err != nil {
		return err
	}
	begin(s.log).set("at", s.name).with("build", build()).send("listening")
	begin(s.log).set("at", s.name).with("build", build()).with("again", build()).set("for", s.name).send("done")
	return nil
}
