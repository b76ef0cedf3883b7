// Package inliterals returns parts of pooled memory.
package inliterals

import (
	"reflect"
	"sync"
	"unsafe"
)

type frame struct{ result, other uintptr }

var frames = sync.Pool{New: func() any { return new(frame) }}

func call() *frame { return frames.Get().(*frame) }

func values(t reflect.Type) []reflect.Value {
	f := call()
	defer frames.Put(f)
	v := reflect.New(t).Elem()
	if t.Kind() == reflect.Pointer {
		v = reflect.NewAt(t, unsafe.Pointer(&f.result)).Elem()
	}
	return []reflect.Value{v} // want `is returned while the deferred call puts it`
}

func value(t reflect.Type) reflect.Value {
	f := call()
	defer frames.Put(f)
	return reflect.NewAt(t, unsafe.Pointer(&f.result)).Elem() // want `is returned while the deferred call puts it`
}

func pointers() []*uintptr {
	f := call()
	defer frames.Put(f)
	return []*uintptr{&f.result, &f.other} // want `is returned while the deferred call puts it`
}

func whole() []*frame {
	f := call()
	defer frames.Put(f)
	return []*frame{f} // want `is returned while the deferred call puts it`
}

// Copies are the caller's.
func copied(t reflect.Type) []reflect.Value {
	f := call()
	defer frames.Put(f)
	result := f.result
	return []reflect.Value{reflect.NewAt(t, unsafe.Pointer(&result)).Elem()}
}

func numbers() []uintptr {
	f := call()
	defer frames.Put(f)
	return []uintptr{f.result, f.other}
}

func replaced() []*frame {
	f := call()
	defer frames.Put(f)
	l := []*frame{f}
	l[0] = &frame{f.result, f.other}
	return l
}
