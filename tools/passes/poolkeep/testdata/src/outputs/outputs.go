package outputs

import (
	"bytes"
	"errors"
	"log"
	"os/exec"
	"sync"
)

// Wrong: what the commands before wrote is still in the buffer.
var outs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func run(name string) error {
	cmd := exec.Command(name)
	b := outs.Get().(*bytes.Buffer)
	defer outs.Put(b)
	cmd.Stdout = b // want `set as a writer without a reset`
	if err := cmd.Run(); err != nil {
		return errors.Join(err, errors.New(b.String()))
	}
	return nil
}

// Wrong: the same in a literal.
var errs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func fails(path string) string {
	b := errs.Get().(*bytes.Buffer)
	cmd := &exec.Cmd{Path: path, Stderr: b} // want `set as a writer without a reset`
	_ = cmd.Run()
	s := b.String()
	errs.Put(b)
	return s
}

// Right: emptied before.
var clean = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func runClean(name string) (string, error) {
	cmd := exec.Command(name)
	b := clean.Get().(*bytes.Buffer)
	b.Reset()
	defer clean.Put(b)
	cmd.Stdout, cmd.Stderr = b, b
	err := cmd.Run()
	return b.String(), err
}

// Right: emptied after.
var after = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func runAfter(name string) (string, error) {
	cmd := exec.Command(name)
	b := after.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		after.Put(b)
	}()
	cmd.Stdout = b
	err := cmd.Run()
	return b.String(), err
}

// Right: the writer is one of its own, which empties it.
type printer struct {
	w   *bytes.Buffer
	log *log.Logger
}

var printers = sync.Pool{New: func() any {
	b := new(bytes.Buffer)
	return &printer{w: b, log: log.New(b, "", 0)}
}}

func print(s string) string {
	p := printers.Get().(*printer)
	p.w.Reset()
	p.log.Print(s)
	out := p.w.String()
	printers.Put(p)
	return out
}
