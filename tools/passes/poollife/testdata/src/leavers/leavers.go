// Package leavers puts buffers that functions of other packages may have left with their goroutines.
package leavers

import (
	"bytes"
	"context"
	"log"
	"sync"

	"leavers/line"
	"leavers/wire"
)

var letters = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func letter(text string) *bytes.Buffer {
	b := letters.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(text)
	return b
}

func deferred(ctx context.Context, c *line.Conn, text string) error {
	b := letter(text)
	defer letters.Put(b) // want `b is put in letters while a goroutine that Deliver \(line \d+\) gave it to may still use it`
	return c.Deliver(ctx, b.Bytes())
}

func afterwards(ctx context.Context, c *line.Conn, text string) error {
	b := letter(text)
	err := c.Deliver(ctx, b.Bytes())
	letters.Put(b) // want `b is put in letters while a goroutine that Deliver`
	return err
}

func whereItFailed(ctx context.Context, c *line.Conn, text string) error {
	b := letter(text)
	if err := c.Deliver(ctx, b.Bytes()); err != nil {
		letters.Put(b) // want `b is put in letters while a goroutine that Deliver`
		return err
	}
	letters.Put(b)
	return nil
}

func twoLayers(ctx context.Context, c *wire.Client, text string) error {
	b := letter("    " + text)
	defer letters.Put(b) // want `b is put in letters while a goroutine that Call`
	return c.Call(ctx, 1, b.Bytes())
}

func posted(c *line.Conn, text string) {
	b := letter(text)
	c.Post(b.Bytes())
	letters.Put(b) // want `b is put in letters while a goroutine that Post`
}

func late(c *line.Conn, text string) {
	b := letter(text)
	if !c.InTime(b.Bytes()) {
		log.Print("late")
	}
	letters.Put(b) // want `b is put in letters while a goroutine that InTime`
}

type deliverer interface {
	Deliver(ctx context.Context, body []byte) error
}

type office struct{ by deliverer }

func newOffice(c *line.Conn) *office { return &office{by: c} }

func (o *office) throughInterface(ctx context.Context, text string) error {
	b := letter(text)
	defer letters.Put(b) // want `b is put in letters while a goroutine that Deliver`
	return o.by.Deliver(ctx, b.Bytes())
}

// A form makes the bytes that are sent of its own buffer.
type form struct {
	n   int
	buf *bytes.Buffer
}

func (f *form) encode() []byte {
	f.buf = letters.Get().(*bytes.Buffer)
	f.buf.Reset()
	f.buf.WriteByte(byte(f.n))
	return f.buf.Bytes()
}

func (f *form) free() {
	letters.Put(f.buf)
	f.buf = nil
}

func sendForm(ctx context.Context, c *line.Conn, n int) error {
	f := &form{n: n}
	defer f.free() // want `f is put in letters while a goroutine that Deliver`
	return c.Deliver(ctx, f.encode())
}

// The right ones.

func onlyWhenDone(ctx context.Context, c *line.Conn, text string) error {
	b := letter(text)
	err := c.Deliver(ctx, b.Bytes())
	if err == nil {
		letters.Put(b)
	}
	return err
}

func leftWhereItFailed(ctx context.Context, c *line.Conn, text string) error {
	b := letter(text)
	if err := c.Deliver(ctx, b.Bytes()); err != nil {
		return err // the collector takes it
	}
	letters.Put(b)
	return nil
}

func answered(c *line.Conn, text string) error {
	b := letter(text)
	defer letters.Put(b)
	return c.DeliverAll(b.Bytes())
}

func copied(ctx context.Context, c *line.Conn, text string) error {
	b := letter(text)
	defer letters.Put(b)
	return c.DeliverCopy(ctx, b.Bytes())
}

func ownCopy(ctx context.Context, c *line.Conn, text string) error {
	b := letter(text)
	defer letters.Put(b)
	return c.Deliver(ctx, bytes.Clone(b.Bytes()))
}

func counted(c *line.Conn, text string, to chan int) {
	b := letter(text)
	defer letters.Put(b)
	c.Length(b.Bytes(), to)
}

func inTime(c *line.Conn, text string) {
	b := letter(text)
	if c.InTime(b.Bytes()) {
		letters.Put(b)
	}
}

func both(c *line.Conn, text string) {
	a, b := letter(text), letter("and "+text)
	defer letters.Put(a)
	defer letters.Put(b)
	c.Both(a.Bytes(), b.Bytes())
}

func logged(c *line.Conn, text string) {
	b := letter(text)
	defer letters.Put(b)
	c.Log(b.String())
}

func waitedFor(c *line.Conn, text string) {
	b := letter(text)
	c.Post(b.Bytes())
	c.Wait()
	letters.Put(b)
}
