// SPDX-License-Identifier: BSD-3-Clause

package oldentries

import (
	"bytes"
	"sync"
)

// The list is cleared.

type clearedTable struct{ columns []*column }

var clearedTables = sync.Pool{New: func() any { return new(clearedTable) }}

func (t *clearedTable) reset(n int) {
	t.columns = t.columns[:0]
	if cap(t.columns) < n {
		t.columns = make([]*column, n)
	} else {
		t.columns = t.columns[:n]
		clear(t.columns)
	}
}

func describeCleared(names []string, use func(*clearedTable)) {
	t := clearedTables.Get().(*clearedTable)
	t.reset(len(names))
	for i := range names {
		if t.columns[i] == nil {
			t.columns[i] = &column{name: names[i]}
		}
	}
	use(t)
	clearedTables.Put(t)
}

// The fields of an entry that is there are set.

type setTable struct{ columns []*column }

var setTables = sync.Pool{New: func() any { return new(setTable) }}

func describeSet(names []string, use func(*setTable)) {
	t := setTables.Get().(*setTable)
	t.columns = t.columns[:0]
	if cap(t.columns) < len(names) {
		t.columns = make([]*column, len(names))
	} else {
		t.columns = t.columns[:len(names)]
	}
	for i := range names {
		if t.columns[i] == nil {
			t.columns[i] = &column{name: names[i]}
			continue
		}
		t.columns[i].name, t.columns[i].text = names[i], false
	}
	use(t)
	setTables.Put(t)
}

// The entries have nothing of the user's: they are room.

type line struct {
	buf   bytes.Buffer
	width int
}

type page struct{ lines []*line }

var pages = sync.Pool{New: func() any { return new(page) }}

func write(texts []string, use func(*page)) {
	p := pages.Get().(*page)
	p.lines = p.lines[:0]
	if cap(p.lines) < len(texts) {
		p.lines = make([]*line, len(texts))
	} else {
		p.lines = p.lines[:len(texts)]
	}
	for i, s := range texts {
		if p.lines[i] == nil {
			p.lines[i] = &line{width: 80}
		}
		l := p.lines[i]
		l.buf.Reset()
		l.buf.WriteString(s)
	}
	use(p)
	pages.Put(p)
}

// Nothing is behind the length: it is made for each user.

type freshTable struct{ columns []*column }

var freshTables = sync.Pool{New: func() any { return new(freshTable) }}

func describeFresh(names []string, use func(*freshTable)) {
	t := freshTables.Get().(*freshTable)
	t.columns = make([]*column, len(names))
	for i := range names {
		if t.columns[i] == nil {
			t.columns[i] = &column{name: names[i]}
		}
	}
	use(t)
	t.columns = nil
	freshTables.Put(t)
}
