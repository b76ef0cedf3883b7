package fullslices

import "sync"

// box pools values without boxing them anew.
type box[T any] struct{ full, empty sync.Pool }

func (b *box[T]) take() T {
	p, ok := b.full.Get().(*T)
	if !ok {
		return *new(T)
	}
	v := *p
	*p = *new(T)
	b.empty.Put(p)
	return v
}

func (b *box[T]) give(v T) {
	p, ok := b.empty.Get().(*T)
	if !ok {
		p = new(T)
	}
	*p = v
	b.full.Put(p) // want `full keeps p, put at line \d+, whatever its size`
}

// Wrong: the lines go back through a channel with what they point to.
type line struct {
	no    int
	words []string
}

var linesBox box[[]line]

func parse(in []string) int {
	out := make(chan []line, 1)
	go func() {
		defer close(out)
		list := linesBox.take()[:0]
		for k, s := range in {
			list = append(list, line{k, []string{s}})
		}
		out <- list
	}()
	n := 0
	for list := range out {
		n += len(list)
		linesBox.give(list) // want `nothing in the package clears slices of line`
	}
	return n
}

// Right: numbers point to nothing.
type mark struct{ from, to int }

var marksBox box[[]mark]

func marks(in []int) int {
	list := marksBox.take()[:0]
	for k, n := range in {
		list = append(list, mark{k, n})
	}
	n := len(list)
	marksBox.give(list)
	return n
}

// Right: cleared by whoever gives them back.
type page struct{ rows [][]byte }

var pagesBox box[[]page]

func pages(in [][]byte) int {
	list := pagesBox.take()[:0]
	list = append(list, page{in})
	n := len(list)
	clear(list)
	pagesBox.give(list)
	return n
}

// Wrong: the slices that a map holds, cut on Get only.
type column struct {
	cells []*cell
}

type cell struct{ text string }

var tables = sync.Pool{New: func() any { return map[string]*column{"a": {}, "b": {}} }}

func takeTable() map[string]*column {
	t := tables.Get().(map[string]*column)
	for _, c := range t {
		c.cells = c.cells[:0]
	}
	return t
}

func (c *column) add(s string) { c.cells = append(c.cells, &cell{s}) }

func fill(in []string) int {
	t := takeTable()
	for _, s := range in {
		t["a"].add(s)
	}
	n := len(t["a"].cells)
	putTable(t) // want `nothing in the package clears slices of \*cell`
	return n
}

func putTable(t map[string]*column) { tables.Put(t) }

// Right: let go of on Put.
type shelf struct{ books []*book }

type book struct{ title string }

var shelves = sync.Pool{New: func() any { return map[string]*shelf{"a": {}} }}

func stack(in []string) int {
	t := shelves.Get().(map[string]*shelf)
	for _, s := range in {
		t["a"].books = append(t["a"].books, &book{s})
	}
	n := len(t["a"].books)
	for _, s := range t {
		s.books = nil
	}
	shelves.Put(t)
	return n
}

// Right: what lies behind the length is used again.
type slot struct{ buf []byte }

var slotsBox box[[]slot]

func slots(n int) int {
	list := slotsBox.take()[:0]
	for range n {
		if len(list) < cap(list) {
			list = list[:len(list)+1]
		} else {
			list = append(list, slot{make([]byte, 8)})
		}
	}
	k := len(list)
	slotsBox.give(list)
	return k
}
