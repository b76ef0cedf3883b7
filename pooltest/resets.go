// SPDX-License-Identifier: BSD-3-Clause

package pooltest

import (
	"fmt"
	"reflect"

	"github.com/spare-go/spare"
)

// Resets checks that what one user does to a value of the pool does not reach the next: it
// makes a value with p.New, has use do to it what users do, calls p.Reset, and fails the
// test for each field that then differs from a new value's. The fields of structs and
// arrays are looked at, unexported ones as well, and what pointers point to. Slices and
// maps differ if their lengths do: an empty slice that kept its room is as good
// as none. Functions and channels differ if one of them is nil.
//
// Fields named in except ("Field", or "Field.Inner") may differ: those that Get's callers set.
//
// A checked build cannot see a Reset that forgets a field, since it hands no
// value out again. This can.
func Resets[T any](t TB, p *spare.Pool[T], use func(*T), except ...string) {
	t.Helper()
	made := func() *T {
		if p.New != nil {
			return p.New()
		}
		return new(T)
	}
	fresh, used := made(), made()
	if fresh == nil || used == nil {
		t.Errorf("pooltest: Resets: New returned nil")
		return
	}
	use(used)
	if p.Reset != nil {
		p.Reset(used)
	}
	c := comparison{except: make(map[string]bool), seen: make(map[[2]uintptr]bool)}
	for _, name := range except {
		c.except[name] = true
	}
	c.compare("", reflect.ValueOf(used).Elem(), reflect.ValueOf(fresh).Elem())
	for _, d := range c.found {
		t.Errorf("pooltest: after Reset a value of %s shows its next user %s", describe(p), d)
	}
}

// A comparison collects what a used value shows beside a fresh one.
type comparison struct {
	except map[string]bool
	seen   map[[2]uintptr]bool // pairs of pointers
	found  []string
}

func (c *comparison) differ(path string, used reflect.Value) {
	if path == "" {
		path = "its value"
	}
	text := fmt.Sprint(used)
	switch used.Kind() {
	case reflect.Interface:
		text = "no " + used.Type().String()
		if !used.IsNil() {
			text = used.Elem().Type().String()
		}
	case reflect.Pointer, reflect.Chan, reflect.Func:
		text = used.Type().String() // the address says nothing
	}
	c.found = append(c.found, path+": "+text)
}

func (c *comparison) compare(path string, used, fresh reflect.Value) {
	if c.except[path] && path != "" {
		return
	}
	switch used.Kind() {
	case reflect.Struct:
		for i := range used.NumField() {
			name := used.Type().Field(i).Name
			if path != "" {
				name = path + "." + name
			}
			c.compare(name, used.Field(i), fresh.Field(i))
		}
	case reflect.Array:
		for i := range used.Len() {
			c.compare(fmt.Sprintf("%s[%d]", path, i), used.Index(i), fresh.Index(i))
		}
	case reflect.Slice, reflect.Map:
		if used.Len() != fresh.Len() {
			c.differ(path, used)
		} else if used.Kind() == reflect.Slice {
			for i := range used.Len() {
				c.compare(fmt.Sprintf("%s[%d]", path, i), used.Index(i), fresh.Index(i))
			}
		}
	case reflect.Pointer, reflect.Interface:
		if used.IsNil() || fresh.IsNil() {
			if used.IsNil() != fresh.IsNil() {
				c.differ(path, used)
			}
			return
		}
		if used.Kind() == reflect.Pointer {
			pair := [2]uintptr{used.Pointer(), fresh.Pointer()}
			if pair[0] == pair[1] || c.seen[pair] {
				return
			}
			c.seen[pair] = true
		}
		used, fresh = used.Elem(), fresh.Elem()
		if used.Type() != fresh.Type() {
			c.differ(path, used)
			return
		}
		c.compare(path, used, fresh)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if used.IsZero() != fresh.IsZero() {
			c.differ(path, used)
		}
	default:
		if !used.Equal(fresh) {
			c.differ(path, used)
		}
	}
}
