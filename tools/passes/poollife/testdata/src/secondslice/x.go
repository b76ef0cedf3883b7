package secondslice

import "sync"

var chunks = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

func take(n int) []byte {
	b := *chunks.Get().(*[]byte)
	if cap(b) < n {
		return make([]byte, 0, n)
	}
	return b[:0]
}

func give(b []byte) {
	if cap(b) == 512 {
		chunks.Put(&b)
	}
}

// The slice to write to, and what to put.

type builder struct {
	Buf  []byte
	pool []byte
	done [][]byte
}

func (b *builder) room(n int) {
	if cap(b.Buf)-len(b.Buf) >= n {
		return
	}
	if len(b.Buf) > 0 {
		b.done = append(b.done, b.Buf)
	}
	b.Buf = take(n)
	b.pool = b.Buf
}

func (b *builder) add(s string) {
	b.room(len(s))
	b.Buf = append(b.Buf, s...)
}

func (b *builder) build() []byte {
	out := b.Buf
	if len(b.done) > 0 {
		out = nil
		for _, d := range b.done {
			out = append(out, d...)
		}
		out = append(out, b.Buf...)
	}
	give(b.pool)
	b.Buf, b.pool, b.done = nil, nil, nil
	return out // want `memory of b.pool is returned after it was put in chunks \(line 54\)`
}

// Only what was copied from goes back.
func (b *builder) buildCopy() []byte {
	var out []byte
	if len(b.done) == 0 {
		out = b.Buf
	} else {
		for _, d := range b.done {
			out = append(out, d...)
		}
		out = append(out, b.Buf...)
		give(b.pool)
	}
	b.Buf, b.pool, b.done = nil, nil, nil
	return out
}

// A number of them, by the class of their size.

var classes = map[int]*sync.Pool{512: new(sync.Pool), 1024: new(sync.Pool)}

func takeClass(n int) []byte {
	if p := classes[n]; p != nil {
		if v := p.Get(); v != nil {
			return v.([]byte)
		}
	}
	return make([]byte, 0, n)
}

func giveClass(b []byte) {
	if p := classes[cap(b)]; p != nil {
		p.Put(b[:0])
	}
}

type classed struct {
	Buf  []byte
	pool []byte
}

func (c *classed) add(s string) {
	if cap(c.Buf)-len(c.Buf) < len(s) {
		old := c.Buf
		c.Buf = append(takeClass(2*cap(c.pool)+512), old...)
		c.pool = c.Buf
	}
	c.Buf = append(c.Buf, s...)
}

func (c *classed) build() []byte {
	out := c.Buf
	giveClass(c.pool) // want `memory of field Buf is returned after it was put in classes as field pool \(line [0-9]+\), which is set to the same slice`
	c.Buf, c.pool = nil, nil
	return out
}

// A copy is returned.
func (b *builder) text() string {
	s := string(b.Buf)
	give(b.pool)
	b.Buf, b.pool = nil, nil
	return s
}

// Set in one store each.

type line struct{ text, home []byte }

func newLine(n int) *line {
	b := take(n)
	l := new(line)
	l.text = b
	l.home = b
	return l
}

func (l *line) end() []byte {
	defer give(l.home) // want `memory of field text is returned after it was put in chunks as field home \(line 17\), which is set to the same slice`
	return l.text
}

// What grew has left the other one behind.

type grown struct{ text, home []byte }

func newGrown(n int) *grown {
	b := take(n)
	g := new(grown)
	g.text = b
	g.home = b
	return g
}

func (g *grown) end() []byte {
	if cap(g.text) > cap(g.home) {
		give(g.home)
		return g.text
	}
	return append([]byte(nil), g.text...)
}

// Two slices of their own.

type pair struct{ key, value []byte }

func newPair(n int) *pair {
	p := new(pair)
	p.key = make([]byte, n)
	p.value = take(n)
	return p
}

func (p *pair) end() []byte {
	give(p.value)
	return p.key
}
