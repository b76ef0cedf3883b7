package lostvalues

import (
	"io"
	"sync"
)

var parcels = sync.Pool{New: func() any { return new([512]byte) }}

func takeParcel() []byte { return parcels.Get().(*[512]byte)[:0] }

func giveParcel(b []byte) {
	if cap(b) == 512 {
		parcels.Put((*[512]byte)(b[:512]))
	}
}

type carrier struct {
	list  [][]byte
	limit int
}

func (c *carrier) add(p []byte) {
	b := takeParcel()
	c.list = append(c.list, append(b, p...))
}

// Wrong: short ones are copied and left.
func (c *carrier) joined() (out []byte) {
	for i := 0; i < len(c.list); i++ {
		b := c.list[i]
		if len(out)+len(b) < c.limit {
			out = append(out, b...) // want `left for the next one without a Put`
			continue
		}
		out = append(out, b[:c.limit-len(out)]...)
		giveParcel(c.list[i])
	}
	c.list = nil
	return out
}

// Wrong: over a range, written out, the field emptied first.
func (c *carrier) flush(w io.Writer, raw bool) {
	list := c.list
	c.list = nil
	for _, b := range list {
		if raw {
			w.Write(b) // want `left for the next one without a Put`
		} else {
			w.Write([]byte{byte(len(b))})
			w.Write(b[1:])
			giveParcel(b)
		}
	}
}

// Wrong: cut to be filled again.
func (c *carrier) sum(skip int) (n int) {
	for k, b := range c.list {
		if k < skip {
			n += copy(make([]byte, 16), b) // want `left for the next one without a Put`
			continue
		}
		n += len(b)
		giveParcel(b)
	}
	c.list = c.list[:0]
	return n
}

// Right: put on both ways.
func (c *carrier) both(w io.Writer, raw bool) {
	for _, b := range c.list {
		if raw {
			w.Write(b)
			giveParcel(b)
			continue
		}
		w.Write(b[1:])
		giveParcel(b)
	}
	c.list = nil
}

// Right: put at the end of the round.
func (c *carrier) atEnd(w io.Writer, raw bool) {
	for _, b := range c.list {
		if raw {
			w.Write(b)
		} else {
			w.Write(b[1:])
		}
		giveParcel(b)
	}
	c.list = nil
}

// Right: what is not put is given on.
func (c *carrier) moved(w io.Writer, raw bool) (rest [][]byte) {
	for _, b := range c.list {
		if raw {
			w.Write(b)
			rest = append(rest, b)
			continue
		}
		w.Write(b[1:])
		giveParcel(b)
	}
	c.list = nil
	return rest
}

// Right: stays in the list for later.
func (c *carrier) later(w io.Writer, raw bool) {
	for _, b := range c.list {
		if raw {
			w.Write(b)
			continue
		}
		w.Write(b[1:])
		giveParcel(b)
	}
}

// Right: whose it is stands in the element.
type shred struct {
	buf  []byte
	lent bool
}

type shreds struct{ list []*shred }

var shredPool = sync.Pool{New: func() any { return new(shred) }}

func (p *shreds) add(b []byte) {
	x := shredPool.Get().(*shred)
	x.buf = append(x.buf[:0], b...)
	p.list = append(p.list, x)
}

func (p *shreds) flush(w io.Writer) {
	for _, x := range p.list {
		if x.lent {
			w.Write(x.buf)
			continue
		}
		w.Write(x.buf)
		shredPool.Put(x)
	}
	p.list = nil
}

// Right: empty ones are no use to anybody.
func (c *carrier) notEmpty(w io.Writer) {
	for _, b := range c.list {
		if len(b) == 0 {
			continue
		}
		w.Write(b)
		giveParcel(b)
	}
	c.list = nil
}
