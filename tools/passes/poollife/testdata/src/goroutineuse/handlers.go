package goroutineuse

import (
	"sync"
	"time"
)

// Handlers are kept in slices in a map, and called with a pooled context.
type call struct {
	name     string
	args     []string
	handlers []func(*call)
}

type router struct {
	calls  sync.Pool
	routes map[string][]func(*call)
}

func (r *router) handle(path string, h ...func(*call)) {
	r.routes[path] = append(r.routes[path], h...)
}

func (r *router) serve(path string) {
	c := r.calls.Get().(*call)
	c.name = path
	c.handlers = r.routes[path]
	for _, h := range c.handlers {
		h(c)
	}
	r.calls.Put(c) // want `c is put in calls while the goroutine started at line 35 may still use it`
}

func audit(c *call) {
	go func() {
		time.Sleep(time.Second)
		println(c.name)
	}()
}

func count(c *call) {
	n := len(c.args)
	go func() {
		time.Sleep(time.Second)
		println(n)
	}()
}

func routes() *router {
	r := &router{routes: map[string][]func(*call){}}
	r.calls.New = func() any { return new(call) }
	r.handle("/", count)
	r.handle("/audit", audit, count)
	return r
}

// A struct that is sent by pointer holds memory of the value.
type chunk struct {
	seq  int
	data []byte
}

var chunkBufs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func sendChunks(read func([]byte) (int, error), out chan<- *chunk) error {
	bp := chunkBufs.Get().(*[]byte)
	n, err := read(*bp)
	if err == nil {
		out <- &chunk{1, (*bp)[:n]}
	}
	chunkBufs.Put(bp) // want `bp is put in chunkBufs while the receiver from the channel`
	return err
}

func sendCopies(read func([]byte) (int, error), out chan<- *chunk) error {
	bp := chunkBufs.Get().(*[]byte)
	n, err := read(*bp)
	if err == nil {
		out <- &chunk{1, append([]byte(nil), (*bp)[:n]...)}
	}
	chunkBufs.Put(bp)
	return err
}
