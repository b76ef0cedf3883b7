// Package partly has fields that are set where they apply, and never emptied.
package partly

import (
	"io"
	"sync"
)

// Wrong: method on the taken value, flag bool
type req struct {
	id     int
	retry  bool
	parent *req
	err    error
}

var reqs = sync.Pool{New: func() any { return new(req) }}

func (r *req) init(id int, parent *req, retry bool) {
	r.id = id
	if retry {
		r.retry = true
	}
	if parent != nil {
		r.parent = parent
	}
}
func newReq(id int, parent *req, retry bool) *req {
	r := reqs.Get().(*req)
	r.init(id, parent, retry) // want `fields retry, parent of the req from a pool are set only where they apply`
	return r
}
func (r *req) send() {
	if r.retry {
		println("again")
	}
	if r.parent != nil {
		r.parent.send()
	}
}
func (r *req) free() { reqs.Put(r) }

// Wrong: pool in a struct, switch
type ev struct {
	kind int
	str  *string
	num  *int
}
type src struct{ p sync.Pool }

func (s *src) get(v any) *ev {
	e := s.p.Get().(*ev)
	e.kind = 1
	switch x := v.(type) {
	case string:
		e.str = &x // want `fields str, num of the ev from a pool are set only where they apply`
	case int:
		e.num = &x
	}
	return e
}
func (s *src) put(e *ev) { s.p.Put(e) }
func show(e *ev) {
	if e.str != nil {
		println(*e.str)
	}
	if e.num != nil {
		println(*e.num)
	}
}

// Wrong: closure, early return
type opt struct {
	n   int
	log func(string)
	w   io.Writer
}

var opts sync.Pool

func takeOpt(n int, log func(string), w io.Writer) *opt {
	o, _ := opts.Get().(*opt)
	if o == nil {
		o = new(opt)
	}
	o.n = n
	o.w = w
	if log == nil {
		return o
	}
	o.log = log // want `field log of the opt from a pool is set only where it applies`
	return o
}
func (o *opt) done() {
	if o.log != nil {
		o.log("done")
	}
	o.w = nil
	opts.Put(o)
}

// Wrong: elements of pointers kept
type item struct {
	name string
	val  int
	sub  *item
}
type batch struct{ items []*item }

var batches = sync.Pool{New: func() any { return new(batch) }}

func fill(in map[string]int, sub *item, emit func([]*item)) {
	b := batches.Get().(*batch)
	defer batches.Put(b)
	for len(b.items) < len(in) {
		b.items = append(b.items, new(item))
	}
	its := b.items[:len(in)]
	i := 0
	for k, v := range in {
		it := its[i]
		it.name = k
		if v > 0 {
			it.val = v // want `fields val, sub of the item in a slice that is used again are set only where they apply`
		}
		if sub != nil {
			it.sub = sub
		}
		i++
	}
	emit(its)
}

// Wrong: grown by one, field of the struct
type row struct {
	key  []byte
	note string
	cols []int
}
type rows struct{ list []row }

var rowsPool = sync.Pool{New: func() any { return &rows{} }}

func (r *rows) next() *row {
	if n := len(r.list); n < cap(r.list) {
		r.list = r.list[:n+1]
	} else {
		r.list = append(r.list, row{})
	}
	return &r.list[len(r.list)-1]
}
func (r *rows) add(k []byte, note string) {
	x := r.next()
	x.key = append(x.key[:0], k...)
	if note != "" {
		x.note = note // want `field note of the row in a slice that is used again is set only where it applies`
	}
}
func use(k []byte, emit func([]row)) {
	r := rowsPool.Get().(*rows)
	r.list = r.list[:0]
	r.add(k, string(k))
	emit(r.list)
	rowsPool.Put(r)
}
