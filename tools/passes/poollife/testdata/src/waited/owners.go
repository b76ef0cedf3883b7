package waited

import (
	"bytes"
	"encoding/json"
	"sync"
)

// What a function value gives of an object that the caller made is a part of that.
type rawPart struct{ b []byte }

type note struct {
	Text string
	raw  rawPart
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func picks(pick func(*note) *rawPart, handle func(*note) error, p []byte) error {
	in := new(note)
	buf := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(buf)
	buf.Reset()
	buf.Write(p)
	pick(in).b = buf.Bytes()
	if err := json.Unmarshal(buf.Bytes(), in); err != nil {
		return err
	}
	return handle(in)
}

// A queue whose reader answers on the value's own channel has taken it out by then.
type reply struct {
	size int
	ch   chan error
}

var replies = sync.Pool{New: func() any { return &reply{ch: make(chan error, 1)} }}

type queue struct {
	mu    sync.Mutex
	items []*reply
}

func (q *queue) offer(n int) error {
	r := replies.Get().(*reply)
	r.size = n
	q.mu.Lock()
	q.items = append(q.items, r)
	q.mu.Unlock()
	err := <-r.ch
	replies.Put(r)
	return err
}

func (q *queue) offerOnly(n int) {
	r := replies.Get().(*reply)
	r.size = n
	q.mu.Lock()
	q.items = append(q.items, r) // want `keeps memory of r after the value was put in replies`
	q.mu.Unlock()
	replies.Put(r)
}

func (q *queue) serve() {
	for {
		q.mu.Lock()
		if len(q.items) == 0 {
			q.mu.Unlock()
			return
		}
		r := q.items[0]
		q.items = q.items[1:]
		q.mu.Unlock()
		println(r.size)
		r.ch <- nil
	}
}

// A task's channel is received from by the function that puts the task.
type compressing struct {
	done chan bool
	data []byte
}

var tasks = sync.Pool{New: func() any { return &compressing{done: make(chan bool, 1)} }}

func addNow(t *compressing) {
	<-t.done
	t.data = t.data[:0]
	tasks.Put(t)
}

func compressed(p []byte) {
	t := tasks.Get().(*compressing)
	t.data = append(t.data[:0], p...)
	t.done <- true
	addNow(t)
}
