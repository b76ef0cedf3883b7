// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"reflect"
	"unsafe"

	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/sizeclass"
)

// This file is what Pool and Slices do in a checked build. Nothing calls it in a
// normal one, so that it is not compiled into programs. See package checked.

// initPoolChecked adds to the configuration of the engine what the checks need.
func initPoolChecked[T any](p *Pool[T], conf *magazine.Config) {
	t := reflect.TypeFor[T]()
	p.check.Use(unsafe.Pointer(p), checked.Kind{
		Type:        "Pool[" + t.String() + "]",
		Name:        p.Name,
		PointerFree: !hasPointers(t),
		Drop:        p.Drop != nil,
		Foreign:     p.New != nil,
		Restore:     restore[T],
	})
	check, drop := p.check.Ref(), conf.Drop
	conf.Drop = func(x unsafe.Pointer) {
		check.LetGo(x)
		if drop != nil {
			drop(x)
		}
	}
}

// getPoolChecked is the end of Get. x is what the engine had, or nil.
func getPoolChecked[T any](p *Pool[T], x *T) *T {
	if x != nil {
		if p.check.Again(unsafe.Pointer(x)) {
			return x
		}
		if p.Drop != nil {
			p.Drop(x)
		}
	}
	if p.New == nil {
		x = new(T)
	} else if x = p.New(); x == nil {
		p.check.MakesNone()
		return nil
	}
	p.check.Got(unsafe.Pointer(x), unsafe.Sizeof(*x))
	return x
}

// putPoolChecked is the beginning of Put. It reports whether Put has to go on.
func putPoolChecked[T any](p *Pool[T], x *T) bool {
	if p.mode.Load() == unused {
		p.init()
	}
	return p.check.Putting(unsafe.Pointer(x), unsafe.Sizeof(*x)) == checked.Proceed
}

// keepPoolChecked notes that x is about to become idle, and wipes it if nobody but its
// users knows it: see sharing.
func keepPoolChecked[T any](p *Pool[T], x *T) {
	if p.sharing.possible(unsafe.Pointer(x)) {
		p.check.Keeping(unsafe.Pointer(x), 0, nil)
		return
	}
	var saved *T
	if p.check.Wipes() {
		var zero T
		saved = new(T)
		*saved, *x = *x, zero
	}
	p.check.Keeping(unsafe.Pointer(x), unsafe.Sizeof(*x), unsafe.Pointer(saved))
}

// restore undoes a wipe. The race detector does not see it write: nobody uses x.
//
// Sound: both point to a T.
//
//go:norace
func restore[T any](x, saved unsafe.Pointer) { *(*T)(x) = *(*T)(saved) }

// initSlicesChecked is as initPoolChecked.
func initSlicesChecked(st *classes, owner unsafe.Pointer, elem reflect.Type) {
	st.check.Use(owner, checked.Kind{
		Type:        "Slices[" + elem.String() + "]",
		Name:        st.name,
		Slices:      true,
		PointerFree: !hasPointers(elem),
		Wiped:       st.special.Load()&wipe != 0,
	})
	st.pointerFree = !hasPointers(elem)
}

// guarded returns a slice on guard pages, for one in a number of calls, or nil.
func guarded[E any](st *classes, c int) []E {
	if !st.pointerFree {
		return nil
	}
	x := st.check.Guard(uintptr(sizeclass.Size(c) * st.elemSize))
	if x == nil {
		return nil
	}
	st.gets.Add(1)
	return slice[E](x, sizeclass.Size(c))
}

// putSlicesChecked is as putPoolChecked.
func putSlicesChecked[E any](st *classes, s []E) bool {
	if cap(s) == 0 {
		return true
	}
	switch st.check.Putting(unsafe.Pointer(unsafe.SliceData(s)), uintptr(cap(s)*st.elemSize)) {
	case checked.Proceed:
		return true
	case checked.Guarded:
		st.puts.Add(1)
	}
	return false
}

// keepSlicesChecked gives an array to the engine.
func keepSlicesChecked(st *classes, c int, x unsafe.Pointer, size int) {
	st.check.Keeping(x, uintptr(size), nil)
	if !putNeeded(st.pool(c), x, size, size) {
		st.check.LetGo(x)
	}
}
