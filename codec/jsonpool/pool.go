// SPDX-License-Identifier: BSD-3-Clause

package jsonpool

import (
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare"
)

// A Pool lends targets of type T to decode into. What it decodes equals, by
// reflect.DeepEqual, what decoding into a new T gives; see the package comment.
//
// There is one exception, for a Codec that decodes an empty JSON array into the
// array at hand, where encoding/json and encoding/json/v2 make an empty slice. With
// such a Codec, those slices that a Pool reuses are nil when they are empty,
// whether the document says [] or nothing.
//
// The zero Pool is ready for use. It is safe for concurrent use and must not be
// copied after first use. Its fields must not change after first use.
type Pool[T any] struct {
	// Config says how to decode.
	Config Config

	// MaxIdle bounds the bytes that idle targets hold in arrays and in
	// themselves. If it is 0, they are bounded by trimming only.
	MaxIdle int

	// Name is the name under which spare.All lists the pool. Without a MaxIdle,
	// the IdleBytes there are those of the targets without their arrays.
	Name string

	once   sync.Once
	paths  [][]int
	merges bool         // Codec decodes an empty array into the array at hand
	usual  atomic.Int64 // about the bytes that a target holds
	values spare.Pool[Value[T]]
}

// A Value is a target on loan. It must not be copied; V may be, but what its slices
// refer to is given back by Put.
type Value[T any] struct {
	_ noCopy

	// V is what was decoded.
	V T

	arrays arrays
	lent   bool
}

type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

func (p *Pool[T]) init() {
	p.paths = slicePaths(reflect.TypeFor[T]())
	p.merges = len(p.paths) > 0 && merges(p.Config.codec())
	p.values.New = func() *Value[T] {
		x := new(Value[T])
		x.arrays = newArrays(reflect.ValueOf(&x.V).Elem(), p.paths)
		return x
	}
	p.values.MaxIdle = p.MaxIdle
	if p.MaxIdle != 0 { // only then, since it costs a twentieth of decoding a small record
		p.values.Size = (*Value[T]).size
	}
	p.values.Name = p.Name
}

func (x *Value[T]) size() int { return int(unsafe.Sizeof(*x)) + x.arrays.size() }

// Get returns a target whose V is zero.
func (p *Pool[T]) Get() *Value[T] {
	p.once.Do(p.init)
	x := p.values.Get()
	x.lent = true
	return x
}

// Decode reads r to its end and returns a target with the JSON value in it, as
// [Config.Decode] has it. On error there is no target. An UnmarshalJSON method must copy
// what it keeps of its argument.
func (p *Pool[T]) Decode(r io.Reader) (*Value[T], error) {
	x := p.Get()
	x.arrays.install()
	return p.settle(x, p.Config.Decode(r, &x.V))
}

// Unmarshal returns a target with the JSON value in data, as [Config.Unmarshal] has
// it. On error there is no target.
func (p *Pool[T]) Unmarshal(data []byte) (*Value[T], error) {
	x := p.Get()
	x.arrays.install()
	return p.settle(x, p.Config.Unmarshal(data, &x.V))
}

func (p *Pool[T]) settle(x *Value[T], err error) (*Value[T], error) {
	if err != nil {
		p.Put(x)
		return nil, err
	}
	x.arrays.settle(p.merges)
	return x, nil
}

// Put gives a target back, with everything that its slices refer to as
// they came from the decoder. The caller must not use it any more. A nil x is
// ignored. Put panics if x was put before and did not find another user
// since.
func (p *Pool[T]) Put(x *Value[T]) {
	if x == nil {
		return
	}
	if !x.lent {
		panic("jsonpool: Put of a Value that is not in use")
	}
	x.lent = false
	held := x.arrays.take()
	var zero T
	x.V = zero
	if p.MaxIdle == 0 {
		// Stored only if it says something new: all Ps share it.
		n, old := int64(int(unsafe.Sizeof(*x))+held), p.usual.Load()
		if n > old+old/4 || n < old-old/4 {
			p.usual.Store(n)
		}
	}
	p.values.Put(x)
}

// Stats returns what the pool did since its first use. Without a MaxIdle, IdleBytes
// is an estimate: as if all idle targets were of the size of one that was put lately.
func (p *Pool[T]) Stats() spare.Stats {
	s := p.values.Stats()
	if p.MaxIdle == 0 {
		s.IdleBytes = int64(s.Idle) * p.usual.Load()
	}
	return s
}

// Drain lets every idle target go. The pool remains usable.
func (p *Pool[T]) Drain() { p.values.Drain() }
