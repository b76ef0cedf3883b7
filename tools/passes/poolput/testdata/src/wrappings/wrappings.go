package wrappings

import (
	"reflect"
	"sync"
)

// Wrong: the reflect.Value goes to the pool, and the slice is expected back.
type shelf struct{ p sync.Pool }

func (s *shelf) take() any { return s.p.Get() }

func (s *shelf) give(x any) {
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Slice {
		s.p.Put(v.Slice(0, 0)) // want `the reflect.Value is put, not what is in it` `by value`
	}
}

// Wrong: the same of what a pointer leads to.
var structs sync.Pool

func giveElem(x any) {
	structs.Put(reflect.ValueOf(x).Elem()) // want `the reflect.Value is put, not what is in it` `by value`
}

func takeStruct() any { return structs.Get() }

// Wrong: the address of the parameter, which is an interface.
func (s *shelf) giveBack(x any) {
	s.p.Put(&x) // want `the address of an interface is put, not what is in it`
}

// Right: what is in it.
func (s *shelf) giveContent(x any) {
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Slice {
		s.p.Put(v.Slice(0, 0).Interface())
	}
}

// Right: as it came.
func (s *shelf) giveAsIs(x any) { s.p.Put(x) }

// Right: a pool of boxes for interfaces.
type message interface{ Size() int }

var boxes = sync.Pool{New: func() any { return new(message) }}

func size(m message) int {
	b := boxes.Get().(*message)
	*b = m
	n := (*b).Size()
	*b = nil
	boxes.Put(b)
	return n
}

// Right: a generic box holds what it is asked to.
type pool[T any] struct{ p sync.Pool }

func (p *pool[T]) get() *T {
	if x, ok := p.p.Get().(*T); ok {
		return x
	}
	return new(T)
}

func (p *pool[T]) put(x *T) { p.p.Put(x) }
