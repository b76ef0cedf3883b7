// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package checked_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
)

// FuzzMisuse uses pools rightly and wrongly and compares what is reported with what
// a model expects: neither more nor less. Each operation is an opcode and an
// operand.
func FuzzMisuse(f *testing.F) {
	f.Add([]byte{0, 1, 1, 0, 2, 0})
	f.Add([]byte{0, 200, 0, 100, 3, 1, 1, 0, 2, 0, 4, 0, 5, 0, 1, 1})
	f.Add([]byte{0, 9, 1, 0, 6, 0, 0, 9, 2, 0, 7, 3, 4, 0, 8, 0, 9, 0, 1, 0})
	f.Add([]byte{10, 0, 11, 0, 12, 0, 10, 0, 13, 0, 14, 0, 0, 77, 1, 0, 5, 0, 6, 0})
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) > 400 {
			return
		}
		var reports []string
		old := checked.SetHandler(func(s string) { reports = append(reports, s) })
		defer checked.SetHandler(old)
		expect := func(what string) {
			t.Helper()
			if what == "" && len(reports) > 0 || what != "" && (len(reports) != 1 || !strings.Contains(reports[0], what)) {
				t.Fatalf("reported %q, want %q", reports, what)
			}
			reports = nil
		}

		var p, other spare.Slices[byte]
		var q spare.Pool[node]
		var out, gone [][]byte // each array once
		var outValues, goneValues []*node
		for ; len(ops) >= 2; ops = ops[2:] {
			n := int(ops[1])
			switch op := ops[0] % 15; {
			case op == 0:
				s := p.Get(n * n)
				if n%3 == 0 {
					s = append(s, make([]byte, 2*cap(s))...) // in another array
				}
				out = append(out, s)
				expect("")
			case op == 1 && len(out) > 0:
				s := out[n%len(out)]
				p.Put(s[:0])
				if cap(s) > 0 {
					gone = append(gone, s)
				}
				out = append(out[:n%len(out)], out[n%len(out)+1:]...)
				expect("")
			case op == 2 && len(gone) > 0:
				p.Put(gone[n%len(gone)])
				expect("double Put")
			case op == 3 && len(out) > 0:
				if s := out[n%len(out)]; cap(s) > 1 {
					if s := s[:cap(s)]; known(&p, s) {
						p.Put(s[1+n%(cap(s)-1):])
						expect("not the caller's alone")
					}
				}
			case op == 4 && len(gone) > 0:
				if s := gone[n%len(gone)]; cap(s) > 1 {
					p.Put(s[:cap(s)][1+n%(cap(s)-1):])
					expect("not the caller's alone")
				}
			case op == 5 && len(out) > 0:
				if s := out[n%len(out)]; cap(s) > 0 && known(&p, s) {
					other.Put(s)
					expect("another pool")
				}
			case op == 6 && len(gone) > 0:
				s := gone[n%len(gone)]
				if s = s[:cap(s)]; cap(s) >= 64 { // kept, and so filled with the pattern
					old := s[n%len(s)]
					s[n%len(s)] = old ^ 0xff
					checked.Sweep()
					if len(reports) > 1 || len(reports) == 1 && !strings.Contains(reports[0], "write after Put") {
						t.Fatalf("reported %q", reports)
					}
					reports = nil
					s[n%len(s)] = old
				}
			case op == 7:
				p.Put(make([]byte, n)) // of nobody's
				expect("")
			case op == 8:
				runtime.GC()
				checked.Sweep()
				expect("")
			case op == 9:
				p.Drain()
				q.Drain()
				expect("")
			case op == 10:
				outValues = append(outValues, q.Get())
				expect("")
			case op == 11 && len(outValues) > 0:
				x := outValues[n%len(outValues)]
				q.Put(x)
				outValues = append(outValues[:n%len(outValues)], outValues[n%len(outValues)+1:]...)
				goneValues = append(goneValues, x)
				expect("")
			case op == 12 && len(goneValues) > 0:
				q.Put(goneValues[n%len(goneValues)])
				expect("double Put")
			case op == 13 && len(outValues)+len(goneValues) > 0:
				q.Put(new(node))
				expect("stranger")
			case op == 14 && len(out) > 0:
				i := n % len(out)
				if s := out[i]; cap(s) > 0 {
					was := s
					out[i] = p.Grow(s, n*8)
					if &was[:1][0] != &out[i][:1][0] {
						gone = append(gone, was)
					}
					expect("")
				}
			}
		}
	})
}

// known reports whether the array of s is one that Get returned, and not one that append
// made.
func known(p *spare.Slices[byte], s []byte) bool {
	_, ok := checked.Explain(checked.AddressOf(s))
	return ok
}
