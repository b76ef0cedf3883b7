// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
)

// A secret is never in memory as a whole, unless a test writes it there: it is
// kept in two halves that have to be combined.
type secret struct{ a, b []byte }

func newSecret() *secret {
	s := &secret{make([]byte, 32), make([]byte, 32)}
	rand.Read(s.a)
	rand.Read(s.b)
	return s
}

// write writes the secret into p.
func (s *secret) write(p []byte) {
	for i := range s.a {
		p[i] = s.a[i] ^ s.b[i]
	}
}

// inHeap reports whether the secret is in the process's heap, global variables or
// stacks, by a dump of all of them.
func (s *secret) inHeap(t *testing.T) bool {
	t.Helper()
	runtime.GC()
	f, err := os.Create(filepath.Join(t.TempDir(), "heap"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	debug.WriteHeapDump(f.Fd())
	dump, err := os.ReadFile(f.Name())
	if err != nil || len(dump) < 100_000 {
		t.Fatalf("the dump has %d bytes: %v", len(dump), err)
	}
	plain := make([]byte, len(s.a))
	s.write(plain)
	defer clear(plain)
	return bytes.Contains(dump, plain)
}

type session struct {
	next *session
	key  [64]byte
}

func TestSecrets(t *testing.T) {
	var rows []string
	for _, tt := range []struct {
		name string
		wipe bool // by the contract; a checked build fills other slices, too, and keeps a copy of other values
		use  func(*secret) (idle func() int64)
	}{
		{"Slices{Zero: true}", true, useSlices(&spare.Slices[byte]{Zero: true})},
		{"Slices", checked.Enabled, useSlices(new(spare.Slices[byte]))},
		{"Slices{Zero: true}, beyond the length", true, useBeyond(&spare.Slices[byte]{Zero: true})},
		{"Slices{Zero: true}, grown", true, useGrown(&spare.Slices[byte]{Zero: true})},
		{"Pool with a Reset that clears", true, useSession(&spare.Pool[session]{Reset: func(s *session) { *s = session{} }})},
		{"Pool without Reset", false, useSession(new(spare.Pool[session]))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSecret()
			if s.inHeap(t) {
				t.Fatal("the secret is in the heap before its use")
			}
			idle := tt.use(s)
			found := s.inHeap(t)
			if n := idle(); n == 0 {
				t.Fatal("the pool holds nothing: the test proves nothing")
			}
			switch {
			case found && tt.wipe:
				t.Error("the secret is still in memory")
			case !found && !tt.wipe:
				t.Error("the secret is not found where it must be: the test proves nothing")
			}
			what := "not found"
			if found {
				what = "found"
			}
			rows = append(rows, fmt.Sprintf("| %s | %s |", tt.name, what))
		})
	}
	if !checked.Enabled {
		document(t, "secrets", "A test plants a secret in a value, puts the value, and looks for it in a dump of the whole heap, the global variables and the stacks,\nwhile the pool holds the value.\n\n| pool | the secret |\n|---|---|\n"+strings.Join(rows, "\n")+"\n")
	}
}

func useSlices(p *spare.Slices[byte]) func(*secret) func() int64 {
	return func(s *secret) func() int64 {
		b := p.Get(100)[:100]
		s.write(b[10:])
		p.Put(b)
		return func() int64 { return p.Stats().Idle }
	}
}

func useBeyond(p *spare.Slices[byte]) func(*secret) func() int64 {
	return func(s *secret) func() int64 {
		b := p.Get(100)[:100]
		s.write(b[50:])
		p.Put(b[:5])
		return func() int64 { return p.Stats().Idle }
	}
}

func useGrown(p *spare.Slices[byte]) func(*secret) func() int64 {
	return func(s *secret) func() int64 {
		b := p.Get(100)[:100]
		s.write(b[10:])
		b = p.Grow(b, 1000) // moves the secret
		p.Put(b)
		return func() int64 { return p.Stats().Idle - 1 }
	}
}

func useSession(p *spare.Pool[session]) func(*secret) func() int64 {
	return func(s *secret) func() int64 {
		x := p.Get()
		s.write(x.key[:])
		p.Put(x)
		return func() int64 { return p.Stats().Idle }
	}
}
