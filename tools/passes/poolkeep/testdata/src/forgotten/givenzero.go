package forgotten

import "sync"

// A setter that the reset calls with nothing empties what it sets.

type coder struct {
	out   *int
	names map[string]int
	flags int
	tag   string
}

var coders = sync.Pool{New: func() any { return new(coder) }}

func GetCoder() *coder { return coders.Get().(*coder) }

func PutCoder(c *coder) {
	c.out = nil
	coders.Put(c)
}

func (c *coder) Reset(out *int) { c.ResetNames(out, nil) }

func (c *coder) ResetNames(out *int, names map[string]int) {
	c.out = out
	c.flags = 0
	c.tag = ""
	c.names = names
}

func (c *coder) WithNames(names map[string]int, f func(*coder)) {
	old := c.names
	c.names = names
	f(c)
	c.names = old
}

func (c *coder) code(s string) {
	if n, ok := c.names[s]; ok {
		*c.out += n
		return
	}
	if c.flags > 0 && len(c.names) < 16 {
		if c.names == nil {
			c.names = make(map[string]int)
		}
		c.names[s] = len(c.names)
	}
	*c.out += len(c.tag)
}

func Code(out *int, texts []string) {
	c := GetCoder()
	c.Reset(out)
	for _, s := range texts {
		c.code(s)
	}
	PutCoder(c)
}
