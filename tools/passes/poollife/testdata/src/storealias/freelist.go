package storealias

import "bytes"

// A channel that nobody waits for, and that holds what is used again, is a pool.
type freeList struct{ free chan *bytes.Buffer }

func newFreeList() *freeList { return &freeList{free: make(chan *bytes.Buffer, 8)} }

func (l *freeList) take() *bytes.Buffer {
	select {
	case b := <-l.free:
		return b
	default:
		return new(bytes.Buffer)
	}
}

func (l *freeList) give(b *bytes.Buffer) {
	b.Reset()
	select {
	case l.free <- b:
	default:
	}
}

type message struct{ text []byte }

func (l *freeList) fill(m *message, s string) {
	b := l.take()
	defer l.give(b)
	b.WriteString(s)
	m.text = b.Bytes() // want `field text keeps memory of b after the value was put in the channel free`
}

func (l *freeList) fillCopy(m *message, s string) {
	b := l.take()
	defer l.give(b)
	b.WriteString(s)
	m.text = bytes.Clone(b.Bytes())
}

var spare = make(chan []byte, 4)

func takeSlice() (b []byte) {
	select {
	case b = <-spare:
	default:
		b = make([]byte, 0, 512)
	}
	return b
}

func giveSlice(b []byte) {
	select {
	case spare <- b[:0]:
	default:
	}
}

func (m *message) set(s string) {
	b := append(takeSlice(), s...)
	m.text = b // want `field text keeps memory of b after the value was put in the channel spare`
	giveSlice(b)
}

func (m *message) swap(s string) {
	old := m.text
	m.text = append(takeSlice(), s...)
	giveSlice(old)
}

// A queue: the reader waits.
type mailbox struct{ queue chan *message }

func newMailbox() *mailbox { return &mailbox{queue: make(chan *message, 8)} }

func (q *mailbox) post(m *message) bool {
	select {
	case q.queue <- m:
		return true
	default:
		return false
	}
}

func (q *mailbox) next() *message { return <-q.queue }

func (q *mailbox) postAndCount(m *message, seen map[string]*message) {
	q.post(m)
	seen["last"] = m
}

// The latest of something: what is sent was not the sender's to give away.
type latest struct {
	news    chan *message
	current *message
}

func newLatest() *latest { return &latest{news: make(chan *message, 1)} }

func (l *latest) publish(s string) {
	m := &message{[]byte(s)}
	l.current = m
	select {
	case l.news <- m:
	default:
	}
}

func (l *latest) get() *message {
	select {
	case m := <-l.news:
		return m
	default:
		return &message{}
	}
}

// A channel of capacity zero hands over to who waits.
type handover struct{ to chan *message }

func newHandover() *handover { return &handover{to: make(chan *message)} }

func (h *handover) offer(m *message) {
	select {
	case h.to <- m:
	default:
	}
}

func (h *handover) ask() *message {
	select {
	case m := <-h.to:
		return m
	default:
		return &message{}
	}
}

func (h *handover) offerKept(m *message, seen map[string]*message) {
	h.offer(m)
	seen["last"] = m
}
