// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
)

// Every package reads the facts of all that it imports, and asks for few of them. So a summary travels as
// bytes, which are taken apart when somebody asks, and are passed on as they came where nobody did. Package gob
// would describe the types again in each file, and read the description.
//
// Only the tool that wrote the bytes reads them: the go command keeps facts under a key that has the tool's own hash.

// importSummary finds the fact about a function.
func importSummary(pass *goanalysis.Pass, f *types.Func, s *Summary) bool {
	if !pass.ImportObjectFact(f, s) {
		return false
	}
	s.unpack()
	return true
}

// GobEncode packs a summary.
func (s *Summary) GobEncode() ([]byte, error) {
	if s.packed != nil {
		return s.packed, nil
	}
	var p packer
	p.bool(s.Unfollowed)
	p.bool(s.Waits)
	p.bool(s.Plain)
	p.ints(s.Keeps)
	p.ints(s.Clears)
	p.int(len(s.Left))
	for _, l := range s.Left {
		p.int(l.Param)
		p.bool(l.Failing)
	}
	p.int(len(s.Stored))
	for _, x := range s.Stored {
		p.int(x.Param)
		p.expr(x.In)
	}
	p.bool(s.Thin != nil)
	if t := s.Thin; t != nil {
		p.text(t.Does)
		p.int(t.Pool)
		p.text(t.Global)
		p.int(t.Value)
		p.bool(t.NilSafe)
		p.bool(t.Bounded)
	}
	p.int(len(s.Outcomes))
	for _, o := range s.Outcomes {
		p.int(len(o.Conds))
		for _, c := range o.Conds {
			p.expr(c.Test)
			p.bool(c.Is)
		}
		p.int(len(o.Writes))
		for _, w := range o.Writes {
			p.expr(w.Addr)
			p.expr(w.Val)
		}
		p.int(len(o.Puts))
		for _, x := range o.Puts {
			p.expr(x.Value)
			p.text(x.Pool)
		}
		p.exprs(o.Gone)
		p.exprs(o.Held)
		p.exprs(o.Kept)
		p.exprs(o.Results)
	}
	return p.data, nil
}

// GobDecode keeps the bytes of a summary for unpack.
func (s *Summary) GobDecode(data []byte) error {
	if len(data) == 0 {
		return errors.New("a summary without content")
	}
	*s = Summary{packed: bytes.Clone(data)}
	return nil
}

// unpack takes the bytes of a summary apart.
func (s *Summary) unpack() {
	if s.packed == nil {
		return
	}
	p := &unpacker{s.packed}
	*s = Summary{
		Unfollowed: p.bool(),
		Waits:      p.bool(),
		Plain:      p.bool(),
		Keeps:      readList(p, (*unpacker).int),
		Clears:     readList(p, (*unpacker).int),
		Left:       readList(p, func(p *unpacker) Left { return Left{Param: p.int(), Failing: p.bool()} }),
		Stored:     readList(p, func(p *unpacker) Stored { return Stored{Param: p.int(), In: p.expr()} }),
	}
	if p.bool() {
		s.Thin = &Thin{Does: p.text(), Pool: p.int(), Global: p.text(), Value: p.int(), NilSafe: p.bool(), Bounded: p.bool()}
	}
	s.Outcomes = readList(p, func(p *unpacker) Outcome {
		return Outcome{
			Conds:   readList(p, func(p *unpacker) Cond { return Cond{Test: p.expr(), Is: p.bool()} }),
			Writes:  readList(p, func(p *unpacker) Write { return Write{Addr: p.expr(), Val: p.expr()} }),
			Puts:    readList(p, func(p *unpacker) Put { return Put{Value: p.expr(), Pool: p.text()} }),
			Gone:    readList(p, (*unpacker).expr),
			Held:    readList(p, (*unpacker).expr),
			Kept:    readList(p, (*unpacker).expr),
			Results: readList(p, (*unpacker).expr),
		}
	})
}

type packer struct{ data []byte }

func (p *packer) int(n int) { p.data = binary.AppendVarint(p.data, int64(n)) }

func (p *packer) bool(b bool) {
	n := byte(0)
	if b {
		n = 1
	}
	p.data = append(p.data, n)
}

func (p *packer) text(s string) {
	p.int(len(s))
	p.data = append(p.data, s...)
}

func (p *packer) ints(list []int) {
	p.int(len(list))
	for _, n := range list {
		p.int(n)
	}
}

func (p *packer) expr(e *Expr) {
	p.bool(e != nil)
	if e == nil {
		return
	}
	p.text(e.Kind)
	p.int(e.Index)
	p.text(e.Text)
	p.bool(e.Sized)
	p.expr(e.A)
	p.expr(e.B)
	p.exprs(e.Others)
}

func (p *packer) exprs(list []*Expr) {
	p.int(len(list))
	for _, e := range list {
		p.expr(e)
	}
}

// An unpacker reads what a packer wrote. It panics where that is cut short.
type unpacker struct{ data []byte }

func (p *unpacker) int() int {
	n, size := binary.Varint(p.data)
	if size <= 0 {
		panic("poolflow: a summary is cut short")
	}
	p.data = p.data[size:]
	return int(n)
}

func (p *unpacker) bool() bool {
	b := p.data[0] != 0
	p.data = p.data[1:]
	return b
}

func (p *unpacker) text() string {
	n := p.int()
	s := string(p.data[:n])
	p.data = p.data[n:]
	return s
}

func (p *unpacker) expr() *Expr {
	if !p.bool() {
		return nil
	}
	return &Expr{Kind: p.text(), Index: p.int(), Text: p.text(), Sized: p.bool(), A: p.expr(), B: p.expr(), Others: readList(p, (*unpacker).expr)}
}

// readList reads a list. An empty one is nil.
func readList[T any](p *unpacker, one func(*unpacker) T) []T {
	n := p.int()
	if n == 0 {
		return nil
	}
	list := make([]T, n)
	for k := range list {
		list[k] = one(p)
	}
	return list
}
