package missingput

import (
	"bytes"
	"sync"

	"missingput/framing"
)

// What a writer of another package was given to start with comes back grown, or not.

var frameBufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func frame(send func([]byte) error, head, body []byte) error {
	b := frameBufs.Get().(*bytes.Buffer)
	w := framing.NewWriter(b.Bytes())
	defer func() {
		frameBufs.Put(bytes.NewBuffer(w.Bytes()[:0]))
	}()
	if err := w.Add(head); err != nil {
		return err
	}
	if err := w.Add(body); err != nil {
		return err
	}
	return send(w.Bytes())
}

func frameLost(send func([]byte) error, head, body []byte) error {
	b := frameBufs.Get().(*bytes.Buffer) // want `b, taken from frameBufs at line 30, is not put back on the path that ends here`
	w := framing.NewWriter(b.Bytes())
	if err := w.Add(head); err != nil {
		return err
	}
	defer func() {
		frameBufs.Put(bytes.NewBuffer(w.Bytes()[:0]))
	}()
	if err := w.Add(body); err != nil {
		return err
	}
	return send(w.Bytes())
}
