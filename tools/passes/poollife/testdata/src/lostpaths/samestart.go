package lostpaths

import (
	"bytes"
	"encoding/json"
	"sync"
	"unsafe"
)

// What came back starts where the slice does that was put in: it is the same, and is put by its other name.

var lines sync.Pool

func takeLine() []byte {
	if b, ok := lines.Get().([]byte); ok {
		return b
	}
	return make([]byte, 0, 256)
}

func giveLine(b []byte) {
	b = b[:0]
	lines.Put(b)
}

func escaped(b []byte, html bool) []byte {
	if html {
		var out bytes.Buffer
		json.HTMLEscape(&out, b)
		b = out.Bytes()
	}
	return b
}

func marshal(v any, html bool) (string, error) {
	w := bytes.NewBuffer(takeLine())
	err := json.NewEncoder(w).Encode(v)
	b := w.Bytes()
	if err != nil {
		giveLine(b)
		return "", err
	}
	out := bytes.ToValidUTF8(escaped(b, html), nil)
	if unsafe.SliceData(out) != unsafe.SliceData(b) {
		giveLine(b)
		return string(out), nil
	}
	s := string(out)
	giveLine(out)
	return s, nil
}

// Here nobody has it where it was another one.
func marshalLost(v any, html bool) (string, error) {
	w := bytes.NewBuffer(takeLine()) // want `b, taken from lines at line 15, is not put back on the path that ends here`
	err := json.NewEncoder(w).Encode(v)
	b := w.Bytes()
	if err != nil {
		giveLine(b)
		return "", err
	}
	out := escaped(b, html)
	s := string(out)
	if unsafe.SliceData(out) != unsafe.SliceData(b) {
		return s, nil
	}
	giveLine(out)
	return s, nil
}
