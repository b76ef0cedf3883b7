// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import (
	"sync"
	"unsafe"
)

var lineBufs = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

type entry struct {
	tags []tag
	text string
}

type tag struct{ name string }

func lent(b []byte) string { return unsafe.String(&b[0], len(b)) }

func parsed(src []byte) *entry {
	buf := lineBufs.Get().(*[]byte)
	defer lineBufs.Put(buf)
	*buf = append((*buf)[:0], src...)
	e := &entry{}
	e.tags = append(e.tags, tag{lent((*buf)[:2])})
	return e // want `memory of buf is returned while the deferred call puts it`
}

func parsedCopy(src []byte) *entry {
	buf := lineBufs.Get().(*[]byte)
	defer lineBufs.Put(buf)
	*buf = append((*buf)[:0], src...)
	e := &entry{}
	e.tags = append(e.tags, tag{string((*buf)[:2])})
	return e
}

func counted(src []byte) (int, []tag) {
	buf := lineBufs.Get().(*[]byte)
	*buf = append((*buf)[:0], src...)
	var all []tag
	all = append(all, tag{lent((*buf)[:2])})
	n := len(all)
	lineBufs.Put(buf)
	return n, all[:0]
}

func fill(e *entry, src []byte) {
	buf := lineBufs.Get().(*[]byte)
	*buf = append((*buf)[:0], src...)
	e.tags = append(e.tags, tag{lent((*buf)[:2])}) // want `keeps memory of buf`
	lineBufs.Put(buf)
}
