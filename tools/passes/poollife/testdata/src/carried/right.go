package carried

import "io"

// Put on the way of the error as well.

type rhub struct {
	events chan *rarrival
	dial   func(string) (io.Writer, error)
}

type rarrival struct {
	from string
	pkt  *packet
}

func (a *rarrival) handle(h *rhub) error {
	w, err := h.dial(a.from)
	if err != nil {
		a.pkt.release()
		return err
	}
	(&line{w}).take(a.pkt)
	return nil
}

func (h *rhub) arrived(from string, b []byte) {
	p := packets.Get().(*packet)
	p.n = copy(p.data[:], b)
	h.events <- &rarrival{from, p}
}

func (h *rhub) run(fail func(error)) {
	for a := range h.events {
		fail(a.handle(h))
	}
}

// Some events have none.

type note struct {
	end bool
	pkt *packet
}

type notes struct{ in chan *note }

func (n *notes) data(b []byte) {
	p := packets.Get().(*packet)
	p.n = copy(p.data[:], b)
	n.in <- &note{pkt: p}
}

func (n *notes) stop() { n.in <- &note{end: true} }

func (n *notes) loop(w io.Writer) {
	for x := range n.in {
		if x.end {
			return
		}
		w.Write(x.pkt.data[:x.pkt.n])
		x.pkt.release()
	}
}

// Asked for nil.

type maybe struct{ in chan *arrival2 }

type arrival2 struct {
	from string
	pkt  *packet
}

func (m *maybe) data(from string, b []byte) {
	p := packets.Get().(*packet)
	p.n = copy(p.data[:], b)
	m.in <- &arrival2{from, p}
}

func (m *maybe) loop(w io.Writer) {
	for x := range m.in {
		if x.pkt == nil {
			continue
		}
		w.Write(x.pkt.data[:x.pkt.n])
		x.pkt.release()
	}
}

// What is early is kept, whole or in part, and what others are to have is sent on.

type part struct {
	seq int
	pkt *packet
}

type order struct {
	in    chan *part
	out   chan *packet
	next  int
	early map[int]*packet
	late  []*part
}

func (o *order) data(seq int, b []byte) {
	p := packets.Get().(*packet)
	p.n = copy(p.data[:], b)
	o.in <- &part{seq, p}
}

func (o *order) loop(w io.Writer) {
	for x := range o.in {
		switch {
		case x.seq > o.next+100:
			o.out <- x.pkt
		case x.seq > o.next:
			o.early[x.seq] = x.pkt
		case x.seq < o.next:
			o.late = append(o.late, x)
		default:
			w.Write(x.pkt.data[:x.pkt.n])
			x.pkt.release()
			o.next++
		}
	}
}

// The sender has it as well, and puts it when it was told that the receiver is done.

type call struct {
	pkt  *packet
	done chan bool
}

type server struct{ calls chan *call }

func (s *server) do(b []byte) {
	p := packets.Get().(*packet)
	p.n = copy(p.data[:], b)
	c := &call{p, make(chan bool)}
	s.calls <- c
	if !<-c.done {
		p.release()
	}
}

func (s *server) loop(w io.Writer) {
	for c := range s.calls {
		if _, err := w.Write(c.pkt.data[:c.pkt.n]); err != nil {
			c.done <- false
			continue
		}
		c.pkt.release()
		c.done <- true
	}
}

// A handler that is chosen at run time may put it.

type request struct {
	kind int
	pkt  *packet
}

type router struct {
	in       chan *request
	handlers map[int]func(*packet)
}

func (r *router) data(kind int, b []byte) {
	p := packets.Get().(*packet)
	p.n = copy(p.data[:], b)
	r.in <- &request{kind, p}
}

func (r *router) loop(w io.Writer) {
	for q := range r.in {
		if h := r.handlers[q.kind]; h != nil {
			h(q.pkt)
			continue
		}
		w.Write(q.pkt.data[:q.pkt.n])
		q.pkt.release()
	}
}
