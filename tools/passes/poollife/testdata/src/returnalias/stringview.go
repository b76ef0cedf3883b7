package returnalias

import (
	"bytes"
	"strings"
	"sync"
	"unsafe"
)

// Strings over the memory of a buffer that Close gives back.

var viewBufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var viewTexts = sync.Pool{New: func() any { return new([]byte) }}

func asText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

type Answer struct {
	body *bytes.Buffer
	name string
}

func (r *Answer) Text() string {
	return asText(r.body.Bytes()) // want `the string shares the memory that Close puts in viewBufs`
}

func (r *Answer) Words() (list []string) {
	for _, w := range bytes.Fields(r.body.Bytes()) {
		list = append(list, asText(w))
	}
	return list // want `the string shares the memory that Close puts in viewBufs`
}

// Trimmed returns the text of the answer.
func (r *Answer) Trimmed() string {
	b := r.body.Bytes()
	return strings.TrimSpace(*(*string)(unsafe.Pointer(&b))) // want `the string shares the memory that Close puts in viewBufs`
}

// Copies, and what is no part of the buffer.
func (r *Answer) String() string { return r.body.String() }

func (r *Answer) Cloned() string { return strings.Clone(asText(r.body.Bytes())) }

func (r *Answer) Name() string { return r.name }

func (r *Answer) Is(text string) bool { return asText(r.body.Bytes()) == text }

// Bytes are lent as long as it is not closed.
func (r *Answer) Bytes() []byte { return r.body.Bytes() }

// Head returns the first line, which is valid until the answer is closed.
func (r *Answer) Head() string {
	b, _, _ := bytes.Cut(r.body.Bytes(), []byte("\n"))
	return asText(b)
}

func (r *Answer) UnsafeText() string { return asText(r.body.Bytes()) }

func (r *Answer) Close() error {
	if r.body != nil {
		r.body.Reset()
		viewBufs.Put(r.body)
		r.body = nil
	}
	return nil
}

// The one in the package who asks for it copies it.
type Entry struct{ text *[]byte }

func (e *Entry) Key() string { return asText(*e.text) }

func (e *Entry) Release() {
	*e.text = (*e.text)[:0]
	viewTexts.Put(e.text)
	e.text = nil
}

func keyOf(e *Entry) string {
	k := strings.Clone(e.Key())
	e.Release()
	return k
}

// Close gives back another buffer.
type Pair struct{ text, scratch *[]byte }

func (p *Pair) Key() string { return asText(*p.text) }

func (p *Pair) Release() {
	*p.scratch = (*p.scratch)[:0]
	viewTexts.Put(p.scratch)
	p.scratch = nil
}

// The memory of the text stays with who has it.
type Kept struct{ text *[]byte }

func (k *Kept) Key() string { return asText(*k.text) }

func (k *Kept) Release() {
	*k.text = nil
	viewTexts.Put(k.text)
	k.text = nil
}

// It is lent as a whole, with all that it has.
type ScratchText struct{ text []byte }

var scratchTexts = sync.Pool{New: func() any { return new(ScratchText) }}

func NewScratchText() *ScratchText { return scratchTexts.Get().(*ScratchText) }

func (s *ScratchText) Add(b []byte) { s.text = append(s.text, b...) }

func (s *ScratchText) Text() string { return asText(s.text) }

func (s *ScratchText) Release() {
	s.text = s.text[:0]
	scratchTexts.Put(s)
}
