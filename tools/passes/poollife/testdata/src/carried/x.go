// A pooled value that travels in an event, made for the send: who receives the event has to put what it has.
package carried

import (
	"errors"
	"io"
	"sync"
)

type packet struct {
	data [1500]byte
	n    int
}

var packets = sync.Pool{New: func() any { return new(packet) }}

func (p *packet) release() { packets.Put(p) }

// A method of the event ends early.

type sink interface{ take(p *packet) }

type line struct{ w io.Writer }

func (l *line) take(p *packet) {
	l.w.Write(p.data[:p.n])
	p.release()
}

type hub struct {
	events chan *arrival
	sinks  map[string]sink
	dial   func(string) (io.Writer, error)
}

type arrival struct {
	from string
	pkt  *packet
}

func (a *arrival) handle(h *hub) error {
	s := h.sinks[a.from]
	if s == nil {
		w, err := h.dial(a.from)
		if err != nil {
			return err
		}
		s = &line{w}
		h.sinks[a.from] = s
	}
	s.take(a.pkt)
	return nil
}

func (h *hub) arrived(from string, b []byte) {
	p := packets.Get().(*packet)
	p.n = copy(p.data[:], b)
	h.events <- &arrival{from, p}
}

func (h *hub) run(fail func(error)) {
	for a := range h.events { // want `field pkt of a, received from events at line 62, was taken from packets and is put on other paths`
		fail(a.handle(h))
	}
}

// One receive at a time, by hand, where the sender gives the event to a helper.

type job struct {
	id   int
	body *[]byte
}

var bodies = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

type queue struct {
	jobs chan *job
	done chan struct{}
}

func (q *queue) post(j *job) {
	select {
	case q.jobs <- j:
	case <-q.done:
		bodies.Put(j.body)
	}
}

func (q *queue) add(id int, b []byte) {
	p := bodies.Get().(*[]byte)
	*p = append((*p)[:0], b...)
	q.post(&job{id: id, body: p})
}

var errID = errors.New("no such id")

func (q *queue) next(out map[int]io.Writer) error {
	j := <-q.jobs // want `field body of j, received from jobs at line 98, was taken from bodies and is put on other paths`
	w, ok := out[j.id]
	if !ok {
		return errID
	}
	_, err := w.Write(*j.body)
	bodies.Put(j.body)
	return err
}

// Two senders, and a closure that puts.

type frame[T any] struct {
	meta T
	buf  *packet
}

type mux struct{ in chan *frame[int] }

func (m *mux) data(b []byte) {
	p := packets.Get().(*packet)
	p.n = copy(p.data[:], b)
	m.in <- &frame[int]{1, p}
}

func (m *mux) ping() {
	p := packets.Get().(*packet)
	p.n = 0
	f := new(frame[int])
	f.buf = p
	m.in <- f
}

func (m *mux) loop(w io.Writer, limit int) {
	for f := range m.in { // want `field buf of f, received from in at line 132, was taken from packets and is put on other paths`
		if f.meta > limit {
			continue
		}
		func() {
			defer packets.Put(f.buf)
			w.Write(f.buf.data[:f.buf.n])
		}()
	}
}
