// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/escape"
)

// inOne are the types whose values are replaced together with what they grow: it is
// one variable, and one change.
var inOne = map[string]bool{"bytes.Buffer": true, "strings.Builder": true}

// merge makes one site of a value that is on the heap itself and of the storage that
// it grows.
func (d *Data) merge(sites []*site) []*site {
	all := slices.Clone(sites)
	return slices.DeleteFunc(sites, func(v *site) bool {
		if v.cut.Maker != "" || v.cut.Owner != "" {
			return false
		}
		for _, g := range all {
			if g == v || g.File != v.File || g.Line != v.Line || g.cut.Field || g.cut.Global || g.cut.Pool != "" {
				continue
			}
			if inOne[g.cut.Owner] && d.itself(v, g.cut.Owner) || strings.HasPrefix(g.cut.What, "bytes.NewBuffer") && d.given(v) {
				g.absorb(v)
				return true
			}
		}
		return false
	})
}

// itself reports whether nearly all that a site is made of are values of a type: a variable
// that was moved to the heap, or what new or & made.
func (d *Data) itself(v *site, owner string) bool {
	moved := func(name string) bool {
		return slices.ContainsFunc(d.Escape.At(v.File, v.Line), func(r *escape.Record) bool { return r.Moved && r.Expr == name })
	}
	for _, m := range d.Program.Makes(v.File, v.Line) {
		if m.Kind != allocsite.New && (m.Kind != allocsite.Variable || !moved(m.Expr)) {
			continue
		}
		if types.TypeString(m.Type, func(p *types.Package) string { return p.Name() }) != owner {
			continue
		}
		fit := 0.0
		for _, p := range v.parts {
			if p.size >= m.Size && p.size <= m.Size+m.Size/4+8 {
				fit += p.bytes
			}
		}
		if fit > 0.9*v.Traffic.Bytes { // the runtime takes a little on the way
			return true
		}
	}
	return false
}

// given reports whether all that a line makes itself is the slice that bytes.NewBuffer
// is given.
func (d *Data) given(v *site) bool {
	buffers, slices := 0, 0
	for _, m := range d.Program.Makes(v.File, v.Line) {
		switch m.Kind {
		case allocsite.Variable:
		case allocsite.Call:
			if strings.HasPrefix(m.Expr, "bytes.NewBuffer") {
				buffers++
			}
		case allocsite.MakeSlice, allocsite.ToBytes:
			slices++
		default:
			return false
		}
	}
	return buffers == 1 && slices == 1
}

// absorb adds another site to this one.
func (s *site) absorb(o *site) {
	s.merged = true
	s.Traffic.Bytes, s.Traffic.Objects = s.Traffic.Bytes+o.Traffic.Bytes, s.Traffic.Objects+o.Traffic.Objects
	s.parts = append(s.parts, o.parts...)
	s.live, s.liveAlloc, s.n = s.live+o.live, s.liveAlloc+o.liveAlloc, s.n+o.n
	if s.liveBySize == nil {
		s.liveBySize = make(map[int64][2]float64)
	}
	for size, v := range o.liveBySize {
		have := s.liveBySize[size]
		s.liveBySize[size] = [2]float64{have[0] + v[0], have[1] + v[1]}
	}
	s.cpu.malloc, s.cpu.construct, s.cpu.work = s.cpu.malloc+o.cpu.malloc, s.cpu.construct+o.cpu.construct, s.cpu.work+o.cpu.work
	leaves := maps.Clone(s.cpu.byLeaf)
	if leaves == nil {
		leaves = make(map[string]float64)
	}
	for leaf, share := range o.cpu.byLeaf {
		leaves[leaf] += share
	}
	s.cpu.byLeaf = leaves
}

// join makes the advice on sites that one change removes refer to that change.
func join(sites []*site) {
	for _, s := range sites {
		if s.Verdict != PoolIt && s.Verdict != FixEscape {
			continue
		}
		for _, o := range sites {
			if o == s || o.File != s.File || o.Verdict != PoolIt {
				continue
			}
			switch {
			case s.decodedBy(o):
				s.Verdict, s.Lines = PoolIt, nil
				s.Advice = fmt.Sprintf("it is what %s decodes into: taken from the pool that is advised for line %d, it is reused with its arrays; one change for both", o.What, o.Line)
			case s.Func == o.Func && strings.HasSuffix(s.cut.Maker, "json.(*Decoder).Decode") && o.What == "json.NewDecoder":
				s.Lines = nil
				s.Advice = fmt.Sprintf("it is what the decoder of line %d makes: the jsonpool.Pool that is advised there keeps the arrays of the value's slices; one change for both", o.Line)
			case s.Line == o.Line && s.cut.Field && o.cut.Maker == "" && o.cut.Owner == "":
				s.Advice += fmt.Sprintf("; or put it back within %s of the same line, grown as it is, if that gets a pool", o.What)
			case s.Line == o.Line && s.record != nil && s.record.Moved && s.cut.Owner == "" && strings.HasSuffix(o.What, "grown by append"):
				s.Advice += "; its elements are a site of their own, with the same line"
			}
		}
	}
}

// decodedBy reports whether a site is the variable that another site, a decoder's,
// fills.
func (s *site) decodedBy(o *site) bool {
	if s.record == nil || !s.record.Moved || !jsonFills(o.cut.Maker) && o.What != "json.NewDecoder" {
		return false
	}
	return slices.ContainsFunc(s.record.Flow, func(step escape.Step) bool {
		return step.How == "call parameter" && step.File == o.File && step.Line == o.Line && fills(step.Expr)
	})
}

func jsonFills(maker string) bool {
	return maker == "encoding/json.Unmarshal" || maker == "encoding/json.(*Decoder).Decode"
}

// fills reports whether a call is one that is given a pointer in order to fill what
// it points to.
func fills(call string) bool {
	head, _, _ := strings.Cut(call, "(&")
	for _, name := range []string{"Unmarshal", "Decode", "Scan", "Sscan", "Sscanf", "Read", "Parse", "Bind"} {
		if i := strings.LastIndex(head, "."+name); i >= 0 {
			return true
		}
	}
	return false
}

// maxUses bounds the lines that are listed for one variable.
const maxUses = 6

// outlives says of a value that becomes a pooled buffer on which lines its bytes are
// used, which are not valid after Release, and where they leave the function.
func (s *site) outlives(p *allocsite.Program) {
	name, method := s.variable(), ""
	switch {
	case s.reuse.with != bufferPath || name == "":
		return
	case !strings.HasSuffix(s.cut.Maker, ".ReadAll"):
		method = "Bytes"
	}
	listed, more := 0, 0
	var away []string
	for _, u := range p.Uses(s.File, s.Line, name, method) {
		text := ""
		switch {
		case u.Leaves:
			away = append(away, fmt.Sprint(u.Line))
			text = fmt.Sprintf("%s.Bytes() leaves the function: not with a Release before its last use", name)
		case method == "":
			text = fmt.Sprintf("%s becomes %s.Bytes()", name, name)
		default:
			continue
		}
		if listed++; listed > maxUses {
			more++
			continue
		}
		s.Lines = append(s.Lines, fmt.Sprintf("%s:%d: %s", s.File, u.Line, text))
	}
	if more > 0 {
		s.Lines = append(s.Lines, fmt.Sprintf("and in %d more lines", more))
	}
	if len(away) > 0 {
		s.Lines[0] = strings.Replace(s.Lines[0], "defer "+name+".Release(); ", "", 1)
		s.Lines[0] = strings.Replace(s.Lines[0], "; defer "+name+".Release()", "", 1)
		s.Advice += fmt.Sprintf("; the bytes leave the function (line %s): hand on the Buffer, for whoever is done with it to release, or a copy", strings.Join(away, ", "))
	}
}

// oneOf takes back what is said of a site of several values that the profile does not
// tell apart: to reuse one of them saves no less than the least of the sizes that
// occur, and no more than all but that.
func (s *site) oneOf() {
	if s.others == 0 || s.reuse.verdict != PoolIt {
		return
	}
	least := 1.0
	for _, share := range s.bySize {
		if share >= 0.005 {
			least = min(least, share)
		}
	}
	if least > 0.5 {
		return // one value is nearly all
	}
	s.reuse.saved = [2]float64{s.reuse.saved[0] * least, s.reuse.saved[1] * (1 - least)}
	s.reuse.advice += fmt.Sprintf("; that is for %s, and the figures are of all %d values of the line: on lines of their own each has its own", s.making.Expr, s.others+1)
}

// filled reports whether the site is a variable that a call was given to fill, which
// cannot be passed by value.
func (s *site) filled() bool {
	return slices.ContainsFunc(s.record.Flow, func(step escape.Step) bool { return step.How == "call parameter" && fills(step.Expr) })
}
