package growsbehind

import "sync"

// A wrapper for values of any type puts what it is given; what the slice is that a value of one type points to, its
// users know.

type anyPool[T any] struct{ inner sync.Pool }

func newAnyPool[T any](of func() T) *anyPool[T] {
	return &anyPool[T]{sync.Pool{New: func() any { return of() }}}
}

func (p *anyPool[T]) take() T { return p.inner.Get().(T) }

func (p *anyPool[T]) give(v T) { p.inner.Put(v) } // want `rowBufs keeps v, put at line 16, whatever its size`

// What a function that is chosen at run time appends to the slice that it is given.

type eachRow[R any] struct {
	rowBufs *anyPool[*[]byte]
	format  func(dst []byte, sep []byte, row R) []byte
	emit    func([]byte) error
}

func newEachRow[R any](format func([]byte, []byte, R) []byte, emit func([]byte) error) *eachRow[R] {
	return &eachRow[R]{newAnyPool(func() *[]byte { b := make([]byte, 0, 256); return &b }), format, emit}
}

func (w *eachRow[R]) write(sep []byte, rows ...R) error {
	b := w.rowBufs.take()
	defer func() {
		*b = (*b)[:0]
		w.rowBufs.give(b)
	}()
	for _, row := range rows {
		*b = w.format((*b)[:0], sep, row)
		if err := w.emit(*b); err != nil {
			return err
		}
	}
	return nil
}

// A pool of pointers to what it is for.

type pointersTo[T any] struct{ inner sync.Pool }

func (p *pointersTo[T]) take() *T {
	if v, ok := p.inner.Get().(*T); ok {
		return v
	}
	return new(T)
}

func (p *pointersTo[T]) give(v *T) { p.inner.Put(v) } // want `joined keeps v, put at line 56, whatever its size`

var joined pointersTo[[]byte]

func join(rows []string, emit func([]byte) error) error {
	b := joined.take()
	defer joined.give(b)
	*b = (*b)[:0]
	for _, r := range rows {
		*b = append(*b, r...)
	}
	return emit(*b)
}

// Whoever gives it back looks at the size.

type smallPool[T any] struct{ inner sync.Pool }

func (p *smallPool[T]) take() T { return p.inner.Get().(T) }

func (p *smallPool[T]) give(v T) { p.inner.Put(v) }

var smallRows = &smallPool[*[]byte]{sync.Pool{New: func() any { return new([]byte) }}}

func writeSmall(rows []string, format func(dst, row []byte) []byte, emit func([]byte)) {
	b := smallRows.take()
	for _, r := range rows {
		*b = format((*b)[:0], []byte(r))
		emit(*b)
	}
	if cap(*b) <= 1<<12 {
		smallRows.give(b)
	}
}

// Nothing is left in the box.

type boxPool[T any] struct{ inner sync.Pool }

func (p *boxPool[T]) take() T { return p.inner.Get().(T) }

func (p *boxPool[T]) give(v T) { p.inner.Put(v) }

var boxes = &boxPool[*[]byte]{sync.Pool{New: func() any { return new([]byte) }}}

func writeBoxed(rows []string, emit func(*[]byte)) {
	b := boxes.take()
	for _, r := range rows {
		*b = append(*b, r...)
	}
	emit(b)
	*b = nil
	boxes.give(b)
}

// The wrapper asks whom it was made with.

type askingPool[T any] struct {
	inner sync.Pool
	keeps func(T) bool
}

func (p *askingPool[T]) take() T { return p.inner.Get().(T) }

func (p *askingPool[T]) give(v T) {
	if p.keeps(v) {
		p.inner.Put(v)
	}
}

type asking struct{ rows *askingPool[*[]byte] }

func newAsking(keeps func(*[]byte) bool) *asking {
	return &asking{&askingPool[*[]byte]{sync.Pool{New: func() any { return new([]byte) }}, keeps}}
}

func (a *asking) write(rows []string, emit func([]byte)) {
	b := a.rows.take()
	*b = (*b)[:0]
	for _, r := range rows {
		*b = append(*b, r...)
	}
	emit(*b)
	a.rows.give(b)
}

// What it holds never grows.

type idPool[T any] struct{ inner sync.Pool }

func (p *idPool[T]) take() T { return p.inner.Get().(T) }

func (p *idPool[T]) give(v T) { p.inner.Put(v) }

var ids = &idPool[*[]byte]{sync.Pool{New: func() any { b := make([]byte, 0, 16); return &b }}}

func writeID(id byte, emit func([]byte)) {
	b := ids.take()
	*b = append((*b)[:0], '#', id)
	emit(*b)
	ids.give(b)
}
