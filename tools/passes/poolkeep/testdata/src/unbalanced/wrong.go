package unbalanced

import (
	"errors"
	"strconv"
	"sync"
)

// Wrong: an error leaves the depth where it was.
type reader struct {
	in    string
	depth int
}

var readers = sync.Pool{New: func() any { return new(reader) }}

func (r *reader) list() error {
	if r.depth++; r.depth > 64 {
		return errors.New("too deep")
	}
	for len(r.in) > 0 {
		c := r.in[0]
		r.in = r.in[1:]
		switch c {
		case '(':
			if err := r.list(); err != nil {
				return err
			}
		case ')':
			r.depth--
			return nil
		}
	}
	return errors.New("no end")
}

func read(s string) error {
	r := readers.Get().(*reader)
	r.in = s
	err := r.list()
	r.in = ""
	readers.Put(r) // want `field depth of the reader stays up when an error ends the use`
	return err
}

// Wrong: a stack, by methods of its own.
type machine struct{ vals []int }

var machines = sync.Pool{New: func() any { return new(machine) }}

func (m *machine) push(n int) { m.vals = append(m.vals, n) }

func (m *machine) pop() int {
	n := m.vals[len(m.vals)-1]
	m.vals = m.vals[:len(m.vals)-1]
	return n
}

func (m *machine) run(words []string) (int, error) {
	for _, w := range words {
		if w == "+" {
			m.push(m.pop() + m.pop())
			continue
		}
		n, err := strconv.Atoi(w)
		if err != nil {
			return 0, errors.New("no number: " + w)
		}
		m.push(n)
	}
	return m.pop(), nil
}

func eval(words []string) (int, error) {
	m := machines.Get().(*machine)
	defer machines.Put(m) // want `field vals of the machine stays up when an error ends the use`
	return m.run(words)
}

// Wrong: the depth lies in what was made with the pooled struct, behind an interface.
type sink interface {
	open() error
	close() error
}

type tree struct {
	levels []byte
	out    []byte
}

func (t *tree) open() error {
	t.levels = append(t.levels, 'o')
	return t.emit('(')
}

func (t *tree) emit(c byte) error {
	if len(t.out) == cap(t.out) {
		return errors.New("full")
	}
	t.out = append(t.out, c)
	return nil
}

func (t *tree) close() error {
	t.levels = t.levels[:len(t.levels)-1]
	return t.emit(')')
}

type press struct {
	s    sink
	name string
}

var presses = sync.Pool{New: func() any { return &press{s: &tree{out: make([]byte, 0, 64)}} }}

func printAll(name string, each func(sink) error) error {
	p := presses.Get().(*press)
	defer presses.Put(p) // want `field levels of the tree stays up when an error ends the use`
	p.name = name
	return each(p.s)
}
