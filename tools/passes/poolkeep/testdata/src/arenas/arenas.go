package arenas

import "sync"

type sample struct{ t, v int64 }
type mark struct {
	t   int64
	ref *sample
}

// Wrong: the reset cuts the samples and not the marks, which lie within the old capacity.
type request struct {
	samples []sample
	marks   []mark
}

func (r *request) reset() {
	r.samples = r.samples[:0]
}

func (r *request) decode(b []byte) ([]sample, []mark) {
	for _, c := range b {
		if c > 9 {
			r.samples = append(r.samples, sample{t: int64(c)})
			continue
		}
		if len(r.marks) < cap(r.marks) {
			r.marks = r.marks[:len(r.marks)+1]
		} else {
			r.marks = append(r.marks, mark{})
		}
		r.marks[len(r.marks)-1].t = int64(c)
	}
	return r.samples, r.marks
}

var requests = sync.Pool{New: func() any { return new(request) }}

func handle(b []byte, push func([]sample, []mark)) {
	r := requests.Get().(*request)
	push(r.decode(b))
	r.reset()
	requests.Put(r) // want `slice marks of the pooled request is lengthened in use .* and never cut, as reset cuts samples`
}

// Wrong: the same with append alone, by who is lent the struct.
type page struct {
	rows  []sample
	notes []*mark
}

var pages = sync.Pool{New: func() any { return new(page) }}

func (p *page) reset() {
	p.rows = p.rows[:0]
}

func (p *page) Add(t int64, m *mark) {
	p.rows = append(p.rows, sample{t: t})
	p.notes = append(p.notes, m)
}

func (p *page) Render(w func([]sample, []*mark)) { w(p.rows, p.notes) }

func show(fill func(*page)) {
	p := pages.Get().(*page)
	fill(p)
	p.reset()
	pages.Put(p) // want `slice notes of the pooled page is lengthened in use .* and never cut, as reset cuts rows`
}

// Right: both are cut.
type both struct {
	samples []sample
	counts  []int
}

func (r *both) reset() {
	r.samples = r.samples[:0]
	r.counts = r.counts[:0]
}

func (r *both) Add(t int64) {
	r.samples = append(r.samples, sample{t: t})
	r.counts = append(r.counts, int(t))
}

func (r *both) Render(w func([]sample, []int)) { w(r.samples, r.counts) }

var boths = sync.Pool{New: func() any { return new(both) }}

func showBoth(fill func(*both)) {
	r := boths.Get().(*both)
	fill(r)
	r.reset()
	boths.Put(r)
}

// Right: the objects in a slice are used again, and a number says how many are taken.
type counted struct {
	rows  []sample
	nodes []*mark
	used  int
}

func (c *counted) reset() {
	c.rows = c.rows[:0]
	c.used = 0
}

func (c *counted) Node(t int64) *mark {
	c.rows = append(c.rows, sample{t: t})
	if c.used == len(c.nodes) {
		c.nodes = append(c.nodes, new(mark))
	}
	n := c.nodes[c.used]
	c.used++
	return n
}

var counteds = sync.Pool{New: func() any { return new(counted) }}

func showCounted(fill func(*counted)) {
	c := counteds.Get().(*counted)
	fill(c)
	c.reset()
	counteds.Put(c)
}

// Right: names that were seen once keep their number, which a map knows.
type table struct {
	rows  []sample
	names []string
	ids   map[string]int
}

func (t *table) reset() { t.rows = t.rows[:0] }

func (t *table) ID(name string) int {
	t.rows = append(t.rows, sample{})
	if n, ok := t.ids[name]; ok {
		return n
	}
	n := len(t.names)
	t.ids[name] = n
	t.names = append(t.names, name)
	return n
}

func (t *table) Name(id int) string { return t.names[id] }

var tables = sync.Pool{New: func() any { return &table{ids: map[string]int{}} }}

func showTable(fill func(*table)) {
	t := tables.Get().(*table)
	fill(t)
	t.reset()
	tables.Put(t)
}
