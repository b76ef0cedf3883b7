package doubleput

import (
	"bytes"
	"io"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func dropBody(b *bytes.Buffer) {
	if b != nil {
		b.Reset()
		bodies.Put(b)
	}
}

type order struct {
	text string
	body *bytes.Buffer
}

// prepare is called for each attempt, and lets go of the body of the one before.
func prepare(o *order) {
	dropBody(o.body)
	o.body = bodies.Get().(*bytes.Buffer)
	o.body.WriteString(o.text)
}

type closingBody struct {
	io.Reader
	once sync.Once
	held *bytes.Buffer
}

func (c *closingBody) Close() error {
	c.once.Do(func() { dropBody(c.held) }) // want `field held puts here what it was lent by field order.body`
	return nil
}

func attempt(o *order, do func(io.ReadCloser) error) error {
	prepare(o)
	return do(&closingBody{Reader: o.body, held: o.body})
}

func attempts(o *order, do func(io.ReadCloser) error) (err error) {
	for range 3 {
		if err = attempt(o, do); err == nil {
			break
		}
	}
	return err
}

// This one gives its body away.
type parting struct {
	text string
	body *bytes.Buffer
}

func prepareParting(o *parting) {
	dropBody(o.body)
	o.body = bodies.Get().(*bytes.Buffer)
	o.body.WriteString(o.text)
}

type closingParting struct {
	io.Reader
	held *bytes.Buffer
}

func (c *closingParting) Close() error {
	dropBody(c.held)
	c.held = nil
	return nil
}

func partingAttempt(o *parting, do func(io.ReadCloser) error) error {
	prepareParting(o)
	c := &closingParting{Reader: o.body, held: o.body}
	o.body = nil
	return do(c)
}
