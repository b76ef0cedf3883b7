package returnalias

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unsafe"
)

// An encoder writes to the memory of its caller.
type encoder struct {
	output bytes.Buffer
	w      io.Writer
	tmp    []byte
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// The deferred closure replaces the buffer before the Put: its memory stays
// with the caller.
func encodeRight(dst, src []byte) ([]byte, error) {
	e := encoders.Get().(*encoder)
	e.output = *bytes.NewBuffer(dst[:0])
	e.w = &e.output
	defer func() {
		e.output = *bytes.NewBuffer(nil)
		encoders.Put(e)
	}()
	if _, err := e.w.Write(src); err != nil {
		return e.output.Bytes(), err
	}
	return e.output.Bytes(), nil
}

func encodeZeroRight(src []byte) []byte {
	e := encoders.Get().(*encoder)
	e.output = bytes.Buffer{}
	e.output.Write(src)
	b := e.output.Bytes()
	e.output = bytes.Buffer{}
	encoders.Put(e)
	b[0] = 'x'
	return b
}

func encodeSliceRight(src []byte) []byte {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.tmp = append(e.tmp[:0], src...)
	b := e.tmp
	e.tmp = nil
	return b
}

// The buffer was replaced first and lent then.
func encodeLate(src []byte) []byte {
	e := encoders.Get().(*encoder)
	old := e.output.Bytes()
	e.output = bytes.Buffer{}
	e.output.Write(src)
	b := e.output.Bytes()
	encoders.Put(e)
	_ = old
	return b // want `memory of e is returned after it was put in encoders`
}

// The new buffer has the old one's memory.
func encodeSame(src []byte) []byte {
	e := encoders.Get().(*encoder)
	e.output.Write(src)
	b := e.output.Bytes()
	e.output = *bytes.NewBuffer(e.output.Bytes()[:0])
	encoders.Put(e)
	return b // want `memory of e is returned after it was put in encoders`
}

var pages = sync.Pool{New: func() any { return new([]byte) }}

func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func words(page []byte) (out []string) {
	for len(page) > 8 {
		out = append(out, textOf(page[:8]))
		page = page[8:]
	}
	return out
}

// Each word is a copy by the end.
func wordsRight(n int) []string {
	p := pages.Get().(*[]byte)
	defer pages.Put(p)
	list := words((*p)[:n])
	for k, w := range list {
		list[k] = strings.Clone(w)
	}
	return list
}

// The long ones only are.
func wordsWrong(n int) []string {
	p := pages.Get().(*[]byte)
	defer pages.Put(p)
	list := words((*p)[:n])
	for k, w := range list {
		if len(w) > 4 {
			list[k] = strings.Clone(w)
		}
	}
	return list // want `memory of p is returned`
}

// All of another list are.
func wordsOther(n int, other []string) []string {
	p := pages.Get().(*[]byte)
	defer pages.Put(p)
	list := words((*p)[:n])
	for k := range other {
		list[k] = strings.Clone(list[k])
	}
	return list // want `memory of p is returned`
}

type notice struct{ body []byte }

var notices = sync.Pool{New: func() any { return new(notice) }}

func (n *notice) load(r io.Reader) (err error) {
	_, err = io.ReadFull(r, n.body)
	return err
}

// What comes with an error is used by nobody.
func nextNotice(r io.Reader) (n *notice, err error) {
	n = notices.Get().(*notice)
	if err = n.load(r); err != nil {
		notices.Put(n)
	}
	return
}

func allNotices(r io.Reader, each func([]byte)) error {
	for {
		n, err := nextNotice(r)
		if err != nil {
			return err
		}
		each(n.body)
		notices.Put(n)
	}
}

// Here somebody puts it again.
func nextNoticeTwice(r io.Reader) (*notice, error) {
	n := notices.Get().(*notice)
	err := n.load(r)
	if err != nil {
		notices.Put(n)
	}
	return n, err // want `n is returned after it was put in notices`
}

func firstNotice(r io.Reader, each func([]byte)) error {
	n, err := nextNoticeTwice(r)
	if err != nil {
		notices.Put(n) // want `n is put in notices a second time`
		return err
	}
	each(n.body)
	notices.Put(n)
	return nil
}

// Rounds read one buffer and write the other; the last one writes to out.
func roundsRight(x []byte, out []byte, rounds int) []byte {
	p := pages.Get().(*[]byte)
	a, b := (*p)[:len(x)], out[:len(x)]
	if rounds%2 == 0 {
		a, b = b, a
	}
	copy(a, x)
	for range rounds {
		for k := range b {
			b[k] = a[len(a)-1-k]
		}
		a, b = b, a
	}
	pages.Put(p)
	return a
}

// It is anyone's guess here which one has the result.
func roundsWrong(x []byte, out []byte, rounds int) []byte {
	p := pages.Get().(*[]byte)
	a, b := (*p)[:len(x)], out[:len(x)]
	copy(a, x)
	for range rounds {
		for k := range b {
			b[k] = a[len(a)-1-k]
		}
		a, b = b, a
	}
	pages.Put(p)
	return a // want `memory of p is returned after it was put`
}
