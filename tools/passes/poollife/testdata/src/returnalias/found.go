package returnalias

import (
	"bytes"
	"encoding/hex"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"sync"
)

// What functions of the standard library find in memory, or keep of it.

var finds = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var word = regexp.MustCompile(`[a-z]+`)

func readInto(b *bytes.Buffer, r io.Reader) []byte {
	b.Reset()
	b.ReadFrom(r)
	return b.Bytes()
}

func firstWord(r io.Reader) []byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	return word.Find(readInto(b, r)) // want `memory of b is returned`
}

func allWords(r io.Reader) [][]byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	return word.FindAll(readInto(b, r), -1) // want `memory of b is returned`
}

func wordParts(r io.Reader) [][]byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	m := word.FindSubmatch(readInto(b, r))
	if m == nil {
		return nil
	}
	return m[1:] // want `memory of b is returned`
}

func expanded(r io.Reader, src []byte) []byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	return word.Expand(readInto(b, r)[:0], []byte("$1"), src, word.FindSubmatchIndex(src)) // want `memory of b is returned`
}

func replacedFirst(r io.Reader) []byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	return slices.Replace(readInto(b, r), 0, 1, 'x') // want `memory of b is returned`
}

func dumper() io.WriteCloser {
	b := finds.Get().(*bytes.Buffer)
	b.Reset()
	defer finds.Put(b)
	return hex.Dumper(b) // want `memory of b is returned`
}

func logging() *slog.Logger {
	b := finds.Get().(*bytes.Buffer)
	b.Reset()
	defer finds.Put(b)
	return slog.New(slog.NewTextHandler(b, nil)) // want `memory of b is returned`
}

func boxed(r io.Reader) *[]byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	h := readInto(b, r)
	return &h // want `memory of b is returned`
}

func wordList(r io.Reader) (list [][]byte) {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	return slices.AppendSeq(list, bytes.FieldsSeq(readInto(b, r))) // want `memory of b is returned`
}

// Right: copies, numbers and texts.
func firstWordCopied(r io.Reader) []byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	return bytes.Clone(word.Find(readInto(b, r)))
}

func whereFirst(r io.Reader) []int {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	return word.FindIndex(readInto(b, r))
}

func firstFound(r io.Reader) string {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	readInto(b, r)
	return word.FindString(b.String())
}

func withoutWords(r io.Reader) []byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	return word.ReplaceAll(readInto(b, r), nil)
}

func boxedCopied(r io.Reader) *[]byte {
	b := finds.Get().(*bytes.Buffer)
	defer finds.Put(b)
	h := readInto(b, r)
	h = bytes.Clone(h)
	return &h
}

// Right: the handler is used here only.
func logged(w io.Writer, msg string) {
	b := finds.Get().(*bytes.Buffer)
	b.Reset()
	defer finds.Put(b)
	slog.New(slog.NewTextHandler(b, nil)).With("n", 1).Info(msg)
	w.Write(b.Bytes())
}
