package stickyset

import (
	"bytes"
	"encoding/json"
	"log"
	"sync"
)

// Told under a condition.

type encoder struct {
	buf bytes.Buffer
	enc *json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.enc = json.NewEncoder(&e.buf)
	e.enc.SetEscapeHTML(false)
	return e
}}

func take() *encoder {
	e := encoders.Get().(*encoder)
	e.buf.Reset()
	return e
}

func render(v any, pretty bool, out func([]byte)) error {
	e := take()
	defer encoders.Put(e)
	if pretty {
		e.enc.SetIndent("", "\t") // want `field enc of the pooled encoder is told with SetIndent here, not for each use`
	}
	if err := e.enc.Encode(v); err != nil {
		return err
	}
	out(e.buf.Bytes())
	return nil
}

// By one user of two.

type logger struct {
	l     *log.Logger
	lines int
}

var loggers = sync.Pool{New: func() any { return &logger{l: log.Default()} }}

func audit(msg string) {
	l := loggers.Get().(*logger)
	l.l.SetPrefix("audit: ") // want `field l of the pooled logger is told with SetPrefix here`
	l.l.Print(msg)
	loggers.Put(l)
}

func note(msg string) {
	l := loggers.Get().(*logger)
	l.l.Print(msg)
	loggers.Put(l)
}
