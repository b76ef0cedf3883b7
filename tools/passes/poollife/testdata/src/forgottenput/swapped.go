package forgottenput

import "bytes"

// Elements are moved over others, which only the slice had.

type parts struct{ list []*bytes.Buffer }

func (p *parts) add() { p.list = append(p.list, get()) }

func (p *parts) Close() {
	for _, b := range p.list {
		put(b)
	}
	p.list = nil
}

func (p *parts) Swap(i int) {
	n := len(p.list) - 1
	p.list[i] = p.list[n]
	p.list[n] = nil
	p.list = p.list[:n] // want `Swap lets go of values in list`
}

func (p *parts) Cut(i int) {
	p.list = append(p.list[:i], p.list[i+1:]...) // want `Cut lets go of values in list`
}

func (p *parts) add1() {
	p.add()
	put(p.list[0])
	p.list = append(p.list[:0], p.list[1:]...)
}

func (p *parts) remove(b *bytes.Buffer) {
	for i, x := range p.list {
		if x == b {
			p.list = append(p.list[:i], p.list[i+1:]...)
			return
		}
	}
}

// The first is put, then let go of by another method.
type shared struct{ queue []*bytes.Buffer }

func (s *shared) add() { s.queue = append(s.queue, get()) }

func (s *shared) Done(i int) { put(s.queue[i]) }

func (s *shared) Compact(i int) {
	s.queue = append(s.queue[:i], s.queue[i+1:]...)
}

// Who takes one removes it as well.
type rented struct{ rows []*bytes.Buffer }

func (r *rented) add() { r.rows = append(r.rows, get()) }

func (r *rented) at(i int) *bytes.Buffer { return r.rows[i] }

func (r *rented) remove(i int) {
	r.rows[i] = r.rows[len(r.rows)-1]
	r.rows = r.rows[:len(r.rows)-1]
}

func (r *rented) End(i int) {
	b := r.at(i)
	r.remove(i)
	put(b)
}

func (r *rented) Close() {
	for _, b := range r.rows {
		put(b)
	}
	r.rows = nil
}
