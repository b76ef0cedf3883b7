package keptwhole

import "sync"

// Cut in the literal.

type point struct{ x, y int }

type line struct {
	msg    string
	fields []point
}

var lines = sync.Pool{New: func() any { return new(line) }}

func (l *line) reset() { *l = line{fields: l.fields[:0]} }

func (l *line) add(k, v int) { l.fields = append(l.fields, point{k, v}) }

func write(msg string, kv []int, out func(int, int)) {
	l := lines.Get().(*line)
	l.msg = msg
	for _, k := range kv {
		l.add(k, k)
	}
	for _, f := range l.fields {
		out(f.x, f.y)
	}
	l.reset()
	lines.Put(l)
}

// Cleared before, or cut when it is taken.

type set struct {
	name string
	keys map[string]int
	list []point
}

var sets = sync.Pool{New: func() any { return &set{keys: map[string]int{}} }}

func (s *set) add(k string) {
	s.keys[k] = 1
	s.list = append(s.list, point{len(k), 1})
}

func (s *set) reset() {
	clear(s.keys)
	*s = set{keys: s.keys, list: s.list}
}

func collect(names []string, out func(string)) {
	s := sets.Get().(*set)
	s.list = s.list[:0]
	for _, n := range names {
		s.add(n)
	}
	for k := range s.keys {
		out(k)
	}
	for _, f := range s.list {
		out(names[f.x])
	}
	s.reset()
	sets.Put(s)
}
