// SPDX-License-Identifier: BSD-3-Clause

package storealias

import "sync"

// What the elements of a slice led to stays with who has it where they are cleared before the Put.

type stamp struct {
	id    int
	names []string
}

var stampLists = sync.Pool{New: func() any { return new([]stamp) }}

func putStamps(s *[]stamp) {
	clear(*s)
	*s = (*s)[:0]
	stampLists.Put(s)
}

func namesOf(load func() *[]stamp, into map[int][]string) { // right
	list := load()
	for _, s := range *list {
		into[s.id] = s.names
	}
	putStamps(list)
}

func namesOneByOne(load func() *[]stamp, into map[int][]string) { // right
	list := load()
	for i, s := range *list {
		into[s.id] = s.names
		(*list)[i].names = nil
	}
	stampLists.Put(list)
}

func namesLeft(load func() *[]stamp, into map[int][]string) {
	list := load()
	for _, s := range *list {
		into[s.id] = s.names // want `keeps memory of list after the value was put`
	}
	stampLists.Put(list)
}

func someStamps(n int) int {
	list := stampLists.Get().(*[]stamp)
	for i := range (*list)[:n] {
		(*list)[i].names = append((*list)[i].names[:0], "again") // used again in place
	}
	defer stampLists.Put(list)
	return len(*list)
}
