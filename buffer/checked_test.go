// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package buffer_test

import (
	"bytes"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spare-go/spare/buffer"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/pooltest"
)

// TestMisuse does what only the checked build reports.
func TestMisuse(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // or the sweep might be the first to find it
	tests := []struct {
		name, want string
		f          func()
	}{
		{"Write after Release", "Write of a Buffer after its Release", func() {
			b := buffer.Get()
			b.Release()
			b.Write([]byte("x"))
		}},
		{"String after Release", "String of a Buffer after its Release", func() {
			b := buffer.New()
			b.Release()
			_ = b.String()
		}},
		{"Len after Release of a grown Buffer", "Len of a Buffer after its Release", func() {
			var b buffer.Buffer
			b.Write(make([]byte, 1000))
			b.Release()
			b.Len()
		}},
		{"use of a copy after Release", "after the Release of a copy", func() {
			buffer.New()
			b := lent()
			c := *b
			b.Release()
			c.Len()
		}},
		{"copy of a Buffer from Get", "WriteByte of a copy of a Buffer from Get", func() {
			c := *buffer.Get()
			c.WriteByte('x')
		}},
		{"overwritten with a copy", "overwritten with an earlier copy", func() {
			b := buffer.Get()
			old := *b
			b.Write(make([]byte, 1000))
			*b = old
			b.Len()
		}},
		{"stale Release", "Release of a Buffer that was released and that somebody else may have", func() {
			b := buffer.Get()
			b.Release()
			for range 100 { // one of them would be b
				buffer.Get()
			}
			b.Release()
		}},
		{"write to a slice after Release", "written to after its Release", func() {
			b := buffer.Get()
			b.WriteString("text")
			p := b.Bytes()
			b.Release()
			p[0] = 'x'
			for range 100 {
				buffer.Get()
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if msg, _ := recover().(string); !strings.Contains(msg, test.want) || !strings.HasPrefix(msg, "spare: buffer: ") {
					t.Errorf("panic with %q, want %q", msg, test.want)
				}
			}()
			test.f()
		})
	}
}

// lent returns a Buffer that was lent memory of the pool.
func lent() *buffer.Buffer {
	for {
		b := new(buffer.Buffer)
		b.Write(make([]byte, 100))
		if buffer.IsLent(b) {
			return b
		}
		b.Release()
	}
}

// TestStaleSlices shows what becomes of slices that are kept for too long. Until
// Release it is what becomes of those of a bytes.Buffer.
func TestStaleSlices(t *testing.T) {
	b := buffer.Get()
	text := strings.Repeat("x", buffer.SmallSize+1)
	b.WriteString(text)
	p := b.Bytes()
	b.Write(make([]byte, 10_000))
	if string(p) != text {
		t.Errorf("after growth a slice shows %q", p)
	}
	q := b.Bytes()
	b.Release()
	for _, p := range [][]byte{p, q} {
		if !bytes.Equal(p, bytes.Repeat([]byte{0xCC}, len(p))) {
			t.Errorf("after Release a slice shows %q", p)
		}
	}
}

// TestWriteAfterRelease writes to memory of Buffers that nobody asks for again.
func TestWriteAfterRelease(t *testing.T) {
	buffer.New()
	for _, test := range []struct {
		name string
		get  func() *buffer.Buffer
		n    int
	}{
		{"small", buffer.Get, 10},
		{"large", buffer.Get, 10_000},
		{"lent", lent, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			var reports []string
			pooltest.OnMisuse(t, func(report string) { reports = append(reports, report) })
			b := test.get()
			b.Write(make([]byte, test.n))
			p := b.Bytes()
			b.Release()
			checked.Sweep()
			if len(reports) != 0 {
				t.Fatalf("reported %q", reports)
			}
			old := p[3]
			p[3] = 1
			defer func() { p[3] = old }() // the registry may forget that it reported it
			checked.Sweep()
			checked.Sweep()
			for range 100 {
				test.get().Release() // it is not reported again
			}
			if len(reports) != 1 || !strings.Contains(reports[0], "write after Put: memory of ") || !strings.Contains(reports[0], "TestWriteAfterRelease") || !strings.Contains(reports[0], "Put:") {
				t.Errorf("reported %q", reports)
			}
		})
	}
}

func TestSecondRelease(t *testing.T) {
	b := buffer.Get()
	b.Release()
	b.Release()
}
