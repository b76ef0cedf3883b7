package wronglimit

import (
	"bytes"
	"io"
	"sync"
)

// The right way round.

var words = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putWord(b *bytes.Buffer) {
	if b.Cap() > most {
		return
	}
	b.Reset()
	words.Put(b)
}

func Word(r io.Reader) string {
	b := words.Get().(*bytes.Buffer)
	defer putWord(b)
	b.ReadFrom(r)
	return b.String()
}

// From below and from above.

const least = 1 << 10

var pages = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

func putPage(b *[]byte) {
	if cap(*b) < least || cap(*b) > most {
		return
	}
	*b = (*b)[:0]
	pages.Put(b)
}

func Page(s []string) string {
	b := pages.Get().(*[]byte)
	for _, x := range s {
		*b = append(*b, x...)
	}
	r := string(*b)
	putPage(b)
	return r
}

// From above by the one who calls.

var sheets = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

func putSheet(b *[]byte) {
	if cap(*b) < least {
		return
	}
	*b = (*b)[:0]
	sheets.Put(b)
}

func Sheet(s []string) string {
	b := sheets.Get().(*[]byte)
	for _, x := range s {
		*b = append(*b, x...)
	}
	r := string(*b)
	if cap(*b) <= most {
		putSheet(b)
	}
	return r
}

// A class: what was cut from something smaller is not of it. Nothing grows.

var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func putBlock(b *[]byte) {
	if cap(*b) < 4096 {
		return
	}
	*b = (*b)[:4096]
	blocks.Put(b)
}

func Block(r io.Reader, w io.Writer) error {
	b := blocks.Get().(*[]byte)
	defer putBlock(b)
	n, err := io.ReadFull(r, *b)
	if err != nil {
		return err
	}
	_, err = w.Write((*b)[:n])
	return err
}

// The large ones go to a pool of their own, of which only few are kept by who puts.

var (
	few   = make(chan *[]byte, 4)
	small = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}
)

func putEither(b *[]byte) {
	*b = (*b)[:0]
	if cap(*b) > most {
		select {
		case few <- b:
		default:
		}
		return
	}
	small.Put(b)
}

func Either(s []string) string {
	b := small.Get().(*[]byte)
	for _, x := range s {
		*b = append(*b, x...)
	}
	r := string(*b)
	putEither(b)
	return r
}
