// SPDX-License-Identifier: BSD-3-Clause

//go:build race || spare_checked

package spare

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// A sharing knows which values of a pool somebody other than their users may know.
//
// A value may own a goroutine that reads its fields for as long as it lives, has a timer
// whose function looks at it under a mutex, or is listed by somebody who reads its
// atomic counters. Such a program is right, and nothing tells its goroutine from one
// that a user forgot to stop. But whoever shares a value with its users has to
// synchronize with them, and what serves for that is to be seen in the type: a channel
// (also one that a method of an interface returns, as a Context's Done does), something
// of package sync or sync/atomic, an open file. A pointer of unknown type may lead to
// any of them, and so may a function: the closure that a func field holds. All that the value
// points to counts. What an interface holds does not, for there is nearly always one; nor do the fields
// of one type say that a goroutine exists. So the answer errs on the side of sharing.
//
// What it cannot see is who synchronizes by a closure's or a global variable's
// means alone, or with the functions of sync/atomic on plain integers, over a value of
// plain data.
type sharing struct{ by atomic.Pointer[means] }

// means are what the values of a type have to be shared by.
type means struct {
	always bool
	funcs  []uintptr // offsets of the func fields, which are means if they are not nil
}

// possible reports whether x may be known to others than its users. The race
// detector does not see it look.
//
// Sound: the offsets are those of func fields, of one word each, in the type of x.
//
//go:norace
func (s *sharing) possible(x unsafe.Pointer) bool {
	m := s.by.Load()
	if m.always {
		return true
	}
	for _, offset := range m.funcs {
		if *(*unsafe.Pointer)(unsafe.Add(x, offset)) != nil {
			return true
		}
	}
	return false
}

func learnSharing[T any](s *sharing) {
	t := reflect.TypeFor[T]()
	m := &means{always: synchronizes(t, make(map[reflect.Type]bool))}
	if !m.always {
		m.addFuncs(t, 0)
	}
	s.by.Store(m)
}

// addFuncs notes the func fields of t, which lies at offset.
func (m *means) addFuncs(t reflect.Type, offset uintptr) {
	switch t.Kind() {
	case reflect.Func:
		m.funcs = append(m.funcs, offset)
	case reflect.Array:
		for i := range t.Len() {
			before := len(m.funcs)
			m.addFuncs(t.Elem(), offset+uintptr(i)*t.Elem().Size())
			if len(m.funcs) == before {
				return // no element has any
			}
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			m.addFuncs(f.Type, offset+f.Offset)
		}
	}
}

// synchronizes reports whether a value of type t holds, or leads to, what goroutines
// synchronize by.
func synchronizes(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.PkgPath() {
	case "sync", "sync/atomic", "internal/poll":
		return true
	}
	switch t.Kind() {
	case reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return synchronizes(t.Elem(), seen)
	case reflect.Map:
		return synchronizes(t.Key(), seen) || synchronizes(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if synchronizes(t.Field(i).Type, seen) {
				return true
			}
		}
	case reflect.Interface:
		for i := range t.NumMethod() {
			method := t.Method(i).Type
			for j := range method.NumOut() {
				if method.Out(j).Kind() == reflect.Chan {
					return true
				}
			}
		}
	}
	return false
}
