package leftover

import "sync"

// Wrong: the count is reset only where there is data, which flush hands on.
type chunk struct {
	data  []byte
	count int
}

var chunks = sync.Pool{New: func() any { return new(chunk) }}

func (c *chunk) add(p []byte) {
	c.count++
	c.data = append(c.data, p...)
}

func (c *chunk) reset() {
	if c.data == nil {
		return
	}
	c.data = c.data[:0]
	c.count = 0 // want `field count of the pooled chunk is emptied only where data is not nil`
}

func (c *chunk) flush(to func([]byte, int)) {
	to(c.data, c.count)
	c.data = nil
}

func fillChunk(p []byte, to func([]byte, int)) {
	c := chunks.Get().(*chunk)
	c.add(p)
	if len(p) > 4096 {
		c.flush(to)
	}
	c.reset()
	chunks.Put(c)
}

type chunkRight struct {
	data  []byte
	count int
}

var chunksRight = sync.Pool{New: func() any { return new(chunkRight) }}

func (c *chunkRight) add(p []byte) {
	c.count++
	c.data = append(c.data, p...)
}

func (c *chunkRight) reset() {
	c.count = 0
	if c.data == nil {
		return
	}
	c.data = c.data[:0]
}

func (c *chunkRight) flush(to func([]byte, int)) {
	to(c.data, c.count)
	c.data = nil
}

func fillChunkRight(p []byte, to func([]byte, int)) {
	c := chunksRight.Get().(*chunkRight)
	c.add(p)
	if len(p) > 4096 {
		c.flush(to)
	}
	c.reset()
	chunksRight.Put(c)
}

// Wrong: what the cursor counts is for its user, and goes on from the last one's.
type cursor struct {
	keys  []string
	at    int
	steps int
}

func (c *cursor) next() string {
	c.steps++
	c.at++
	return c.keys[c.at-1]
}

func (c *cursor) Steps() int { return c.steps }

type cursorRoom struct{ c cursor }

var cursors = sync.Pool{New: func() any { return new(cursorRoom) }}

func openCursor(keys []string) *cursorRoom {
	r := cursors.Get().(*cursorRoom)
	r.c.keys, r.c.at = keys, 0
	return r
}

func (r *cursorRoom) close() {
	r.c.keys = nil
	cursors.Put(r) // want `field steps of the pooled cursorRoom is added to \(line \d+\), given out \(line \d+\) and never set back`
}

func walk(keys []string) int {
	r := openCursor(keys)
	defer r.close()
	for range keys {
		r.c.next()
	}
	return r.c.Steps()
}

// Right: the number tells one use from another.
type ticket struct {
	name string
	gen  int
}

func (t *ticket) Gen() int { return t.gen }

var tickets = sync.Pool{New: func() any { return new(ticket) }}

func useTicket(name string) int {
	t := tickets.Get().(*ticket)
	t.name = name
	t.gen++
	g := t.Gen()
	t.name = ""
	tickets.Put(t)
	return g
}

// Wrong: what was learned with one tag serves those with another.
type mapper struct {
	tag  string
	seen map[string]string
}

var mappers = sync.Pool{New: func() any { return &mapper{seen: map[string]string{}} }}

func (m *mapper) name(field string) string {
	if s, ok := m.seen[field]; ok {
		return s
	}
	s := m.tag + "." + field
	m.seen[field] = s
	return s
}

func mapField(tag, field string) string {
	m := mappers.Get().(*mapper)
	defer mappers.Put(m) // want `the pooled mapper keeps in seen what was worked out with tag`
	m.tag = tag
	return m.name(field)
}

// Right: the tag is part of the key.
type mapperRight struct {
	tag  string
	seen map[[2]string]string
}

var mappersRight = sync.Pool{New: func() any { return &mapperRight{seen: map[[2]string]string{}} }}

func (m *mapperRight) name(field string) string {
	key := [2]string{m.tag, field}
	if s, ok := m.seen[key]; ok {
		return s
	}
	s := m.tag + "." + field
	m.seen[key] = s
	return s
}

func mapFieldRight(tag, field string) string {
	m := mappersRight.Get().(*mapperRight)
	defer mappersRight.Put(m)
	m.tag = tag
	return m.name(field)
}
