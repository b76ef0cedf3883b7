package returnalias

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func get() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func put(b *bytes.Buffer) { bufs.Put(b) }

func marshal(v any) ([]byte, error) {
	b := get()
	defer put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil // want `memory of b is returned while the deferred call puts it in bufs`
}

func marshalRight(v any) ([]byte, error) {
	b := get()
	defer put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(b.Bytes()), nil
}

func trimmed(v any) []byte {
	b := get()
	defer put(b)
	fmt.Fprint(b, v)
	return bytes.TrimSpace(b.Bytes()) // want `memory of b is returned`
}

func appended(v any) []byte {
	b := get()
	defer put(b)
	fmt.Fprint(b, v)
	return append([]byte("x"), b.Bytes()...)
}

func cloned(v any) []byte {
	b := get()
	defer put(b)
	fmt.Fprint(b, v)
	return slices.Clone(b.Bytes())
}

func text(v any) string {
	b := get()
	defer put(b)
	fmt.Fprint(b, v)
	return b.String()
}

func unsafeText(v any) string {
	b := get()
	defer put(b)
	fmt.Fprint(b, v)
	p := b.Bytes()
	return *(*string)(unsafe.Pointer(&p)) // want `memory of b is returned`
}

func unsafeText2(v any) string {
	b := get()
	defer put(b)
	fmt.Fprint(b, v)
	p := b.Bytes()
	return unsafe.String(&p[0], len(p)) // want `memory of b is returned`
}

type result struct {
	body []byte
	n    int
}

func inStruct(v any) *result {
	b := get()
	defer put(b)
	n, _ := fmt.Fprint(b, v)
	return &result{body: b.Bytes(), n: n} // want `memory of b is returned`
}

func inStructRight(v any) *result {
	b := get()
	defer put(b)
	n, _ := fmt.Fprint(b, v)
	return &result{body: []byte(b.String()), n: n}
}

func named(v any) (out []byte) {
	b := get()
	defer func() { put(b) }()
	fmt.Fprint(b, v)
	out = b.Bytes()
	return // want `memory of b is returned`
}

func namedRight(v any) (out []byte) {
	b := get()
	defer func() {
		out = bytes.Clone(b.Bytes())
		put(b)
	}()
	fmt.Fprint(b, v)
	return nil
}

func reader(v any) *bytes.Reader {
	b := get()
	defer put(b)
	fmt.Fprint(b, v)
	return bytes.NewReader(b.Bytes()) // want `memory of b is returned`
}

var slabs = sync.Pool{New: func() any { s := make([]byte, 0, 512); return &s }}

func header(s string) []byte {
	p := slabs.Get().(*[]byte)
	defer slabs.Put(p)
	*p = append((*p)[:0], s...)
	return *p // want `memory of p is returned`
}

func headerCopied(s string) []byte {
	p := slabs.Get().(*[]byte)
	defer slabs.Put(p)
	*p = append((*p)[:0], s...)
	out := make([]byte, len(*p))
	copy(out, *p)
	return out
}

var builders = sync.Pool{New: func() any { return new(strings.Builder) }}

// String of a builder shares its memory, but what a builder has written stays as it is,
// and Reset lets go of that memory.
func builtNext(s string) string {
	b := builders.Get().(*strings.Builder)
	b.Reset()
	defer builders.Put(b)
	b.WriteString(s)
	return b.String()
}

func built(s string) string {
	b := builders.Get().(*strings.Builder)
	b.WriteString(s)
	out := b.String()
	b.Reset()
	builders.Put(b)
	return out
}

// Only one of the results is an alias, and only without an error.
func handsOver(big bool) []byte {
	b := get()
	fmt.Fprint(b, big)
	if big {
		return b.Bytes() // never put
	}
	out := bytes.Clone(b.Bytes())
	put(b)
	return out
}

type scratch struct {
	names []string
	ids   []int
	m     map[string]int
}

var scratches = sync.Pool{New: func() any { return &scratch{m: map[string]int{}} }}

func count(words []string) map[string]int {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	clear(s.m)
	for _, w := range words {
		s.m[w]++
	}
	return s.m // want `memory of s is returned`
}

func countOne(words []string, w string) int {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	clear(s.m)
	for _, w := range words {
		s.m[w]++
	}
	return s.m[w]
}
