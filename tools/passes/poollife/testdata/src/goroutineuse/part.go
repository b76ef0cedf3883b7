package goroutineuse

import (
	"bytes"
	"sync"
)

type state struct {
	bw  bytes.Buffer
	n   int
	raw []byte
}

type frame struct{ p []byte }

type conn struct {
	frames chan frame
	states sync.Pool
}

func (c *conn) send(p []byte) { c.frames <- frame{p: p} }

// What is sent is memory of a buffer within the pooled struct.
func (c *conn) handle(s string) {
	st := c.states.Get().(*state)
	st.bw.Reset()
	st.bw.WriteString(s)
	c.send(st.bw.Bytes())
	c.states.Put(st) // want `st is put in states while the receiver from the channel`
}

func (c *conn) handleCopy(s string) {
	st := c.states.Get().(*state)
	st.bw.Reset()
	st.bw.WriteString(s)
	c.send(bytes.Clone(st.bw.Bytes()))
	c.states.Put(st)
}

// Two variables change places: each goes its own way.
func (c *conn) swap(in, out []byte, pool *sync.Pool, small bool) {
	a := pool.Get().([]byte)
	b := pool.Get().([]byte)
	go func() {
		if small {
			a, b = b, a
		}
		c.frames <- frame{p: a}
		pool.Put(b)
	}()
}
