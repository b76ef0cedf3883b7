// SPDX-License-Identifier: BSD-3-Clause

package allocsite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// A Frame is one call of a stack.
type Frame struct {
	Func string // as in pprof: "compress/gzip.(*Writer).Write"
	File string
	Line int
}

// A Sample is what was allocated in objects of one size by one stack.
type Sample struct {
	// Stack has the leaf first, and inlined calls as frames of their own. The
	// runtime's frames at the leaf are left out.
	Stack []Frame

	// Size is what the allocator hands out for one object: its size class. 0 if
	// the profile does not tell.
	Size int64

	// Mean says that the profile does not tell sizes, and Size is the mean of objects
	// that may differ in size.
	Mean bool

	Bytes, Objects           float64 // allocated
	InUseBytes, InUseObjects float64 // of that, not freed as of the last collection
}

// ErrKind is the error of a profile that does not count allocations.
var ErrKind = errors.New("the profile has no allocations in it")

// Samples returns the samples of an allocation profile, those of equal stack
// and size added up. A profile without counts of allocations is an error that
// wraps [ErrKind] and names what the profile has.
func Samples(p *profile.Profile) ([]Sample, error) {
	index := map[string]int{"alloc_space": -1, "alloc_objects": -1, "inuse_space": -1, "inuse_objects": -1}
	var has []string
	for i, t := range p.SampleType {
		has = append(has, t.Type)
		if _, ok := index[t.Type]; ok {
			index[t.Type] = i
		}
	}
	if index["alloc_space"] < 0 || index["alloc_objects"] < 0 {
		return nil, fmt.Errorf("%w: it has the sample types %s, and alloc_objects and alloc_space are needed; take it from /debug/pprof/allocs, or with go test -memprofile",
			ErrKind, strings.Join(has, ", "))
	}
	value := func(s *profile.Sample, name string) float64 {
		if i := index[name]; i >= 0 && i < len(s.Value) {
			return float64(s.Value[i])
		}
		return 0
	}
	set := newSampleSet()
	for _, s := range p.Sample {
		x := Sample{
			Stack: stack(s),
			Bytes: value(s, "alloc_space"), Objects: value(s, "alloc_objects"),
			InUseBytes: value(s, "inuse_space"), InUseObjects: value(s, "inuse_objects"),
		}
		// The runtime keeps a bucket for each stack and size, and says which.
		if size := s.NumLabel["bytes"]; len(size) == 1 {
			x.Size = size[0]
		} else if x.Objects > 0 {
			x.Size, x.Mean = int64(x.Bytes/x.Objects+0.5), true
		}
		set.add(x, 1)
	}
	return set.all(), nil
}

func stack(s *profile.Sample) []Frame {
	var out []Frame
	for _, loc := range s.Location {
		for _, line := range loc.Line {
			if line.Function == nil {
				continue
			}
			out = append(out, Frame{line.Function.Name, line.Function.Filename, int(line.Line)})
		}
	}
	if len(out) == 0 {
		return []Frame{{Func: "(no stack)"}} // stripped, or left out by a store
	}
	for len(out) > 1 && isRuntime(out[0].Func) {
		out = out[1:]
	}
	return out
}

// isRuntime reports whether a function is part of the runtime, for all that
// anyone who looks for allocations cares.
func isRuntime(fn string) bool {
	return strings.HasPrefix(fn, "runtime.") || strings.HasPrefix(fn, "internal/runtime/") || strings.HasPrefix(fn, "runtime/internal/")
}

// Subtract returns a - b, sample by sample. What b does not have is taken as
// none; what would fall below none is left out.
func Subtract(a, b []Sample) []Sample {
	set := newSampleSet()
	for _, s := range a {
		set.add(s, 1)
	}
	for _, s := range b {
		set.add(s, -1)
	}
	return slices.DeleteFunc(set.all(), func(s Sample) bool { return s.Objects <= 0 && s.InUseObjects <= 0 })
}

// Scale multiplies all counts.
func Scale(samples []Sample, by float64) {
	for i := range samples {
		s := &samples[i]
		s.Bytes, s.Objects = s.Bytes*by, s.Objects*by
		s.InUseBytes, s.InUseObjects = s.InUseBytes*by, s.InUseObjects*by
	}
}

// Total adds up all samples.
func Total(samples []Sample) (bytes, objects float64) {
	for _, s := range samples {
		bytes, objects = bytes+s.Bytes, objects+s.Objects
	}
	return bytes, objects
}

// A sampleSet adds up samples of equal stack and size.
type sampleSet struct {
	index map[string]int
	list  []Sample
}

func newSampleSet() *sampleSet { return &sampleSet{index: make(map[string]int)} }

func (s *sampleSet) add(x Sample, sign float64) {
	var key strings.Builder
	for _, f := range x.Stack {
		key.WriteString(f.Func)
		key.WriteByte(0)
		key.WriteString(f.File)
		key.WriteByte(0)
		key.WriteString(strconv.Itoa(f.Line))
		key.WriteByte(0)
	}
	key.WriteString(strconv.FormatInt(x.Size, 10))
	i, ok := s.index[key.String()]
	if !ok {
		i = len(s.list)
		s.index[key.String()] = i
		s.list = append(s.list, Sample{Stack: x.Stack, Size: x.Size, Mean: x.Mean})
	}
	t := &s.list[i]
	t.Bytes, t.Objects = t.Bytes+sign*x.Bytes, t.Objects+sign*x.Objects
	t.InUseBytes, t.InUseObjects = t.InUseBytes+sign*x.InUseBytes, t.InUseObjects+sign*x.InUseObjects
}

func (s *sampleSet) all() []Sample { return s.list }
