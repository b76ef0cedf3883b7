package carried

import (
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// Wrong: the time of the last beat stays, so that the next link beats late.
type link struct {
	w        io.Writer
	lastBeat time.Time
}

var links sync.Pool

func openLink(w io.Writer) *link {
	l, ok := links.Get().(*link)
	if !ok {
		l = new(link)
	}
	l.w = w
	return l
}

func closeLink(l *link) { // want `field lastBeat of the pooled link is set in use`
	l.w = nil
	links.Put(l)
}

func talk(w io.Writer, lines []string, every time.Duration) error {
	l := openLink(w)
	defer closeLink(l)
	for _, s := range lines {
		if now := time.Now(); now.Sub(l.lastBeat) > every {
			if _, err := io.WriteString(w, "beat\n"); err != nil {
				return err
			}
			l.lastBeat = now
		}
		if _, err := io.WriteString(w, s); err != nil {
			return err
		}
	}
	return nil
}

// Wrong: the flag lies in an embedded struct, and is worked out anew each time.
type place struct {
	row int
	end bool
}

type rows struct {
	place
	text string
}

var rowsPool = sync.Pool{New: func() any { return new(rows) }}

func (r *rows) open(s string) { // want `field end of the pooled rows is set in use`
	r.text = s
	r.row = 0
}

func (r *rows) next() (string, bool) {
	if r.end {
		return "", false
	}
	line, rest, more := strings.Cut(r.text, "\n")
	r.text, r.end = rest, !more
	r.row++
	return line, true
}

func countRows(s string) int {
	r := rowsPool.Get().(*rows)
	defer rowsPool.Put(r)
	r.open(s)
	n := 0
	for {
		if _, ok := r.next(); !ok {
			return n
		}
		n++
	}
}

// Wrong: what was matched is set on a match only, by a function that is given the value.
type call struct {
	args  []string
	route string
	done  func()
}

type desk struct {
	free   sync.Pool
	routes map[string]func()
}

func (c *call) reset(args []string) {
	c.args = args
	c.done = nil
}

func (d *desk) find(c *call) {
	for name, f := range d.routes {
		if name == c.args[0] {
			c.route, c.done = name, f
			return
		}
	}
}

func (d *desk) serve(args []string) error {
	c, _ := d.free.Get().(*call)
	if c == nil {
		c = new(call)
	}
	defer d.free.Put(c)
	c.reset(args)
	d.find(c)
	if c.done == nil {
		return errors.New("nothing for " + c.route) // want `field route of c, taken from free at line 118, is read as the last user left it`
	}
	c.done()
	return nil
}

// Wrong: the same, with the reader in a method that others call.
type visit struct {
	path  string
	page  string
	reply func(*visit) error
}

type site struct {
	free  sync.Pool
	pages map[string]func(*visit) error
	wrap  []func(func(*visit) error) func(*visit) error
}

func (v *visit) reset(path string) { // want `field page of the pooled visit is set in use`
	v.path = path
	v.reply = nil
}

func (s *site) match(v *visit) {
	for name, f := range s.pages {
		if strings.HasPrefix(v.path, name) {
			v.page, v.reply = name, f
			break
		}
	}
}

func (s *site) serve(path string) error {
	v, _ := s.free.Get().(*visit)
	if v == nil {
		v = new(visit)
	}
	v.reset(path)
	s.match(v)
	h := v.reply
	for _, w := range s.wrap {
		h = w(h)
	}
	err := h(v)
	if err != nil {
		err = errors.New(v.page + ": " + err.Error())
	}
	s.free.Put(v)
	return err
}
