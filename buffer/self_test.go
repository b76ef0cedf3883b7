// SPDX-License-Identifier: BSD-3-Clause

package buffer_test

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"unsafe"

	"github.com/spare-go/spare/buffer"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
)

// own returns the memory of p as a string.
func own(p []byte) string { return unsafe.String(unsafe.SliceData(p), len(p)) }

// A slowReader reads a few bytes at a time, and returns only after f.
type slowReader struct {
	r   io.Reader
	max int
	f   func()
}

func (r slowReader) Read(p []byte) (int, error) {
	r.f()
	n, err := r.r.Read(p[:min(r.max, len(p))])
	r.f()
	return n, err
}

// A partWriter passes what is written on to w in parts of at most max bytes, and
// calls f after each.
type partWriter struct {
	w   io.Writer
	max int
	f   func()
}

func (w partWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		var m int
		m, err = w.w.Write(p[:min(w.max, len(p))])
		w.f()
		n += m
		p = p[m:]
	}
	return n, err
}

// othersUse takes arrays of all the sizes that a Buffer grows through from the pool,
// writes to them and gives them back.
func othersUse() {
	for n := 100; n <= len(others); n *= 2 {
		b, c := buffer.Get(), new(buffer.Buffer)
		for _, b := range []*buffer.Buffer{b, c} {
			b.Write(others[:n])
			b.Write(others[:1])
			b.Release()
		}
	}
}

var others = bytes.Repeat([]byte("#"), 20_000)

// A cloned is a bytes.Buffer of which nobody sees the memory.
type cloned struct{ *bytes.Buffer }

func (b cloned) Bytes() []byte     { return bytes.Clone(b.Buffer.Bytes()) }
func (b cloned) Next(n int) []byte { return bytes.Clone(b.Buffer.Next(n)) }

func (b cloned) Peek(n int) ([]byte, error) {
	p, err := b.Buffer.Peek(n)
	return bytes.Clone(p), err
}

// selfOps are the ways in which a Buffer can read its own memory while it is
// written to.
var selfOps = []struct {
	name string
	f    func(b buf)
}{
	{"Write(Bytes)", func(b buf) { b.Write(b.Bytes()) }},
	{"Write(Next)", func(b buf) { b.Write(b.Next(b.Len() - 5)) }},
	{"Write(Next(all))", func(b buf) { b.Write(b.Next(b.Len())) }},
	{"Write(Next(7))", func(b buf) { b.Write(b.Next(7)) }},
	{"Write(Peek)", func(b buf) { p, _ := b.Peek(b.Len() - 3); b.Write(p[2:]) }},
	{"WriteString(Bytes)", func(b buf) { b.WriteString(own(b.Bytes())) }},
	{"WriteString(Next)", func(b buf) { b.WriteString(own(b.Next(b.Len() / 2))) }},
	{"five times", func(b buf) {
		for range 5 {
			b.Write(b.Bytes())
		}
	}},
	{"append to AvailableBuffer", func(b buf) { b.Write(append(b.AvailableBuffer(), b.Bytes()...)) }},
	{"Reset and Write", func(b buf) { p := b.Bytes(); b.Reset(); b.Write(p[3:]) }},
	{"Truncate and Write", func(b buf) { p := b.Bytes(); b.Truncate(5); b.Write(p) }},
	{"Grow and Write", func(b buf) { p := b.Bytes(); b.Grow(3 * len(p)); b.Write(p); b.Write(p) }},
	{"WriteTo itself", func(b buf) { b.WriteTo(b) }},
	{"WriteTo itself, then fail", func(b buf) { b.WriteTo(io.MultiWriter(b, &limitWriter{left: 10, err: errTest})) }},
	{"WriteTo itself twice, then fail", func(b buf) { b.WriteTo(io.MultiWriter(b, b, &limitWriter{left: 10, err: errTest})) }},
	{"WriteTo itself in parts, then fail", func(b buf) {
		b.WriteTo(io.MultiWriter(partWriter{b, 1 + b.Len()/5, othersUse}, &limitWriter{left: 10, err: errTest}))
	}},
	{"Write in parts", func(b buf) { partWriter{b, 1 + b.Len()/5, othersUse}.Write(b.Bytes()) }},
	{"escape", func(b buf) { template.HTMLEscape(b, b.Bytes()) }},
	{"ReadFrom(NewReader(Bytes))", func(b buf) { b.ReadFrom(bytes.NewReader(b.Bytes())) }},
	{"ReadFrom(NewReader(Next))", func(b buf) { b.ReadFrom(bytes.NewReader(b.Next(b.Len() - 5))) }},
	{"ReadFrom(strings.Reader)", func(b buf) { b.ReadFrom(strings.NewReader(own(b.Bytes()))) }},
	{"ReadFrom byte by byte", func(b buf) { b.ReadFrom(iotest.OneByteReader(bytes.NewReader(b.Bytes()))) }},
	{"ReadFrom by halves", func(b buf) { b.ReadFrom(iotest.HalfReader(bytes.NewReader(b.Bytes()))) }},
	{"ReadFrom slowly", func(b buf) { b.ReadFrom(slowReader{bytes.NewReader(b.Bytes()), 1 + b.Len()/5, othersUse}) }},
	{"ReadFrom three times itself", func(b buf) {
		p := b.Bytes()
		b.ReadFrom(io.MultiReader(bytes.NewReader(p), bytes.NewReader(p), bytes.NewReader(p)))
	}},
	{"ReadFrom(LimitReader(b))", func(b buf) { b.ReadFrom(io.LimitReader(b, 40)); b.Write(nil) }},
	{"Copy in parts", func(b buf) {
		io.CopyBuffer(struct{ io.Writer }{b}, struct{ io.Reader }{bytes.NewReader(b.Bytes())}, make([]byte, 1+b.Len()/5))
	}},
}

// TestSelf has Buffers of all kinds read and write themselves. They do what a
// bytes.Buffer does that reads copies of its memory. A bytes.Buffer that reads its
// own does the same, except where it moves its contents over what Next returned.
func TestSelf(t *testing.T) {
	alone(t)
	kinds := []struct {
		name string
		get  func() *buffer.Buffer
	}{
		{"Get", buffer.Get},
		{"Get/warm", func() *buffer.Buffer {
			for range 5 {
				use(4000)
			}
			return buffer.Get()
		}},
		{"zero", func() *buffer.Buffer { return new(buffer.Buffer) }},
		{"New", func() *buffer.Buffer { b := buffer.New(); return &b }},
		{"lent", func() *buffer.Buffer {
			b := new(buffer.Buffer)
			b.Write(make([]byte, 100))
			b.Reset()
			return b
		}},
		{"NewBuffer", func() *buffer.Buffer { return buffer.NewBuffer(make([]byte, 0, 300)) }},
	}
	othersUse()
	for _, op := range selfOps {
		t.Run(op.name, func(t *testing.T) {
			for _, kind := range kinds {
				sizes := []int{20, 50, 100, 150, 200, 300, 400, 700, 1000, 1500, 3000, 5000, 9000, 40_000}
				if race.Enabled || checked.Enabled {
					sizes = []int{50, 200, 700, 1500, 5000}
				}
				for _, n := range sizes {
					for _, off := range []int{0, 1, 10, 60, 100, 300, n / 2, n * 3 / 4, n - 15} {
						if off > n-15 || n > 3000 && off > 10 && off < n/2 {
							continue
						}
						want, got := cloned{new(bytes.Buffer)}, kind.get()
						for _, b := range []buf{want, got} {
							p := make([]byte, n)
							for i := range p {
								p[i] = byte('a' + (i+i/26)%26)
							}
							b.Write(p)
							b.Next(off)
							op.f(b)
						}
						if !bytes.Equal(got.Bytes(), want.Bytes()) {
							i := 0
							for i < min(got.Len(), want.Len()) && got.Bytes()[i] == want.Bytes()[i] {
								i++
							}
							t.Errorf("%s, %d bytes less %d: %d bytes, of which that at %d is wrong, want %d bytes", kind.name, n, off, got.Len(), i, want.Len())
						}
						got.Release()
					}
				}
			}
		})
	}
}

// TestSelfConcurrent has many Buffers read their own bytes slowly while others use
// the pool. No Buffer shows a byte that another one wrote.
func TestSelfConcurrent(t *testing.T) {
	rounds := 300
	if race.Enabled {
		rounds = 60
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			mark := byte('a' + g)
			for i := range rounds {
				n := 50 + (i*977+g*131)%3000
				p := bytes.Repeat([]byte{mark}, n)
				b, c := buffer.Get(), new(buffer.Buffer)
				for _, b := range []*buffer.Buffer{b, c} {
					b.Write(p)
					b.Next(i % 40)
					switch i % 4 {
					case 0:
						b.ReadFrom(slowReader{bytes.NewReader(b.Bytes()), 300, runtime.Gosched})
					case 1:
						partWriter{b, 300, runtime.Gosched}.Write(b.Bytes())
					case 2:
						b.WriteTo(io.MultiWriter(partWriter{b, 300, runtime.Gosched}, b, &limitWriter{left: 1, err: errTest}))
					case 3:
						b.Write(b.Next(b.Len() - 1))
					}
					if n := b.Len() - bytes.Count(b.Bytes(), p[:1]); n != 0 {
						t.Errorf("of the %d bytes that a Buffer shows %d were written to another", b.Len(), n)
					}
					b.Release()
				}
			}
		})
	}
	wg.Wait()
}

// TestOutgrown counts what a Buffer keeps of what it outgrew: as much again as it
// has at most, and nothing that is large, and nothing beyond Release and Detach.
func TestOutgrown(t *testing.T) {
	b := buffer.Get()
	sum := 0
	for range 20_000 {
		b.Write(make([]byte, 1000))
		sum = max(sum, buffer.Outgrown(b))
		if n := buffer.Outgrown(b); n > b.Cap() || n > 2*buffer.MaxOld {
			t.Fatalf("a Buffer of %d bytes keeps %d bytes that it outgrew", b.Cap(), n)
		}
	}
	if sum == 0 {
		t.Error("a Buffer keeps nothing that it outgrew: the test counts the wrong memory")
	}
	p := b.Detach()
	if n := buffer.Outgrown(b); n != 0 || len(p) != 20_000_000 {
		t.Errorf("after Detach of %d bytes a Buffer keeps %d bytes that it outgrew", len(p), n)
	}
	for range 1000 {
		b.Write(make([]byte, 1000))
	}
	b.Release()
	if n := buffer.Outgrown(b); n != 0 { //spare:ignore use-after-put the subject of the test
		t.Errorf("after Release a Buffer keeps %d bytes that it outgrew", n)
	}
}

func ExampleBuffer_Write_itself() {
	b := buffer.Get()
	defer b.Release()
	b.WriteString("again ")
	b.Write(b.Bytes())
	b.Write(b.Bytes())
	fmt.Println(b)
	// Output: again again again again
}
