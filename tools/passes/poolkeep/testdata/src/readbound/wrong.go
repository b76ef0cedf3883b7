package readbound

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

// What is no limit, for it is large.

var large = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func readLarge(r io.Reader) (int, error) {
	b := large.Get().(*bytes.Buffer)
	defer large.Put(b) // want `large keeps b, put at line 16, whatever its size`
	b.Reset()
	_, err := b.ReadFrom(io.LimitReader(r, 64<<20))
	return b.Len(), err
}

// One that others set.

var given = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func readGiven(r io.Reader, n int64) (int, error) {
	b := given.Get().(*bytes.Buffer)
	defer given.Put(b) // want `given keeps b, put at line 28, whatever its size`
	b.Reset()
	_, err := io.CopyN(b, r, n)
	return b.Len(), err
}

var limits = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var maxBody int64 = 1 << 12

func readLimit(w http.ResponseWriter, r *http.Request) (int, error) {
	b := limits.Get().(*bytes.Buffer)
	defer limits.Put(b) // want `limits keeps b, put at line 40, whatever its size`
	b.Reset()
	_, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	return b.Len(), err
}

var changed = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func readChanged(r io.Reader, n int64) (int, error) {
	b := changed.Get().(*bytes.Buffer)
	defer changed.Put(b) // want `changed keeps b, put at line 50, whatever its size`
	b.Reset()
	l := &io.LimitedReader{R: r, N: 512}
	l.N = n
	_, err := io.Copy(b, l)
	return b.Len(), err
}

// Little that is read again and again.

var pieces = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func readPieces(list []io.Reader) (n int, err error) {
	b := pieces.Get().(*bytes.Buffer)
	defer pieces.Put(b) // want `pieces keeps b, put at line 64, whatever its size`
	b.Reset()
	for _, r := range list {
		if _, err = b.ReadFrom(io.LimitReader(r, 512)); err != nil {
			break
		}
	}
	return b.Len(), err
}

var chunks = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func readChunks(list []io.Reader) int {
	b := chunks.Get().(*bytes.Buffer)
	defer chunks.Put(b) // want `chunks keeps b, put at line 78, whatever its size`
	b.Reset()
	for _, r := range list {
		chunk(b, r)
	}
	return b.Len()
}

func chunk(b *bytes.Buffer, r io.Reader) {
	if _, err := io.CopyN(b, r, 512); err != nil {
		b.WriteByte(0)
	}
}

// Something else that makes it grow.

var titled = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func readTitled(r io.Reader, title string) (int, error) {
	b := titled.Get().(*bytes.Buffer)
	defer titled.Put(b) // want `titled keeps b, put at line 98, whatever its size`
	b.Reset()
	b.WriteString(title)
	_, err := b.ReadFrom(io.LimitReader(r, 512))
	return b.Len(), err
}

// In a loop that empties another one.

var sums = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func readSums(list []io.Reader) (n int, err error) {
	b := sums.Get().(*bytes.Buffer)
	defer sums.Put(b) // want `sums keeps b, put at line 111, whatever its size`
	b.Reset()
	var line bytes.Buffer
	for _, r := range list {
		line.Reset()
		if _, err = line.ReadFrom(r); err != nil {
			break
		}
		if _, err = b.ReadFrom(io.LimitReader(&line, 512)); err != nil {
			break
		}
	}
	return b.Len(), err
}
