// SPDX-License-Identifier: BSD-3-Clause

// Package tags has no pool.
package tags

type Tag struct{ Name, Value string }

func Clean(list []Tag) { clear(list) }

func Blank(list []Tag) {
	for i := range list {
		t := &list[i]
		t.Name, t.Value = "", ""
	}
}

func Zero(list []Tag, n int) {
	for i := 0; i < n; i++ {
		list[i] = Tag{}
	}
}

func Count(list []Tag) (n int) {
	for _, t := range list {
		if t.Value != "" {
			n++
		}
	}
	return n
}
