package partly

import "sync"

// Right: reader asks kind
type evOk struct {
	kind int
	str  *string
	num  int
}

var p1 = sync.Pool{New: func() any { return new(evOk) }}

func get1(k int, s *string, n int) *evOk {
	e := p1.Get().(*evOk)
	e.kind = k
	if k == 1 {
		e.str = s
	} else {
		e.num = n
	}
	return e
}
func show1(e *evOk) {
	if e.kind == 1 {
		println(*e.str)
	} else {
		println(e.num)
	}
	p1.Put(e)
}

// Right: lazily made, size asked
type enc struct {
	w     []byte
	tab   *[256]int
	level int
}

var p2 = sync.Pool{New: func() any { return new(enc) }}

func get2(level int) *enc {
	e := p2.Get().(*enc)
	if e.tab == nil || e.level != level {
		e.tab = new([256]int)
	}
	e.level = level
	e.w = e.w[:0]
	return e
}
func put2(e *enc) {
	if e.tab != nil {
		e.tab[0]++
	}
	p2.Put(e)
}

// Right: reset before put by callee
type reqOk struct {
	id  int
	par *reqOk
}

var p3 = sync.Pool{New: func() any { return new(reqOk) }}

func get3(id int, par *reqOk) *reqOk {
	r := p3.Get().(*reqOk)
	r.id = id
	if par != nil {
		r.par = par
	}
	return r
}
func (r *reqOk) reset() { *r = reqOk{} }
func (r *reqOk) free() {
	if r.par != nil {
		r.par.free()
	}
	r.reset()
	p3.Put(r)
}

// Right: has flag
type optOk struct {
	n   int
	has bool
	v   int
}

var p4 = sync.Pool{New: func() any { return new(optOk) }}

func get4(n int, v *int) *optOk {
	o := p4.Get().(*optOk)
	o.n = n
	o.has = false
	if v != nil {
		o.has = true
		o.v = *v
	}
	return o
}
func (o *optOk) sum() int {
	n := o.n
	if o.has {
		n += o.v
	}
	p4.Put(o)
	return n
}

// Right: elements, else arm
type pt struct {
	k string
	s int
	c []int
}
type snap struct{ pts []pt }

var p5 = sync.Pool{New: func() any { return new(snap) }}

func fill5Ok(in map[string]int, no bool, emit func([]pt)) {
	s := p5.Get().(*snap)
	defer p5.Put(s)
	if cap(s.pts) < len(in) {
		s.pts = make([]pt, len(in))
	}
	pts := s.pts[:len(in)]
	i := 0
	for k, v := range in {
		p := &pts[i]
		p.k = k
		if no {
			p.s = 0
		} else {
			p.s = v
		}
		i++
	}
	emit(pts)
}

// Right: error path leaves
type conn struct {
	id  int
	err error
	q   []int
}

var p6 = sync.Pool{New: func() any { return new(conn) }}

func get6(id int, dial func() error) (*conn, error) {
	c := p6.Get().(*conn)
	c.id = id
	if err := dial(); err != nil {
		p6.Put(c)
		return nil, err
	}
	c.err = nil
	return c, nil
}
func (c *conn) use() {
	if c.err != nil {
		println(c.id)
	}
	p6.Put(c)
}

// Right: cleared at the get
type el struct {
	k string
	v int
}
type bag struct{ els []el }

var p7 = sync.Pool{New: func() any { return new(bag) }}

func fill7(in map[string]int, emit func([]el)) {
	b := p7.Get().(*bag)
	clear(b.els)
	els := b.els[:min(cap(b.els), len(in))]
	i := 0
	for k, v := range in {
		if i >= len(els) {
			break
		}
		els[i].k = k
		if v > 0 {
			els[i].v = v
		}
		i++
	}
	emit(els)
	p7.Put(b)
}

// Right: the owner of the pool decides, and always in the same way
type srv struct {
	pool sync.Pool
	hook func()
}
type call struct {
	id   int
	hook func()
}

func (s *srv) get(id int) *call {
	c, _ := s.pool.Get().(*call)
	if c == nil {
		c = new(call)
	}
	c.id = id
	if s.hook != nil {
		c.hook = s.hook
	}
	return c
}
func (s *srv) put(c *call) {
	if c.hook != nil {
		c.hook()
	}
	s.pool.Put(c)
}

// The memory that New made is replaced by more where it is not enough.

type trace struct {
	n       int
	storage []uintptr
}

var traces = sync.Pool{New: func() any { return &trace{storage: make([]uintptr, 64)} }}

func capture(fill func([]uintptr) int, all bool, out func([]uintptr)) {
	t := traces.Get().(*trace)
	if !all {
		t.n = fill(t.storage[:1])
	} else {
		pcs := t.storage
		n := fill(pcs)
		for n == len(pcs) {
			pcs = make([]uintptr, 2*len(pcs))
			n = fill(pcs)
		}
		t.storage = pcs
		t.n = n
	}
	out(t.storage[:t.n])
	if cap(t.storage) <= 1<<10 {
		traces.Put(t)
	}
}
