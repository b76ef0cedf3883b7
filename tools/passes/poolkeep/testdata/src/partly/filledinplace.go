package partly

import "sync"

// Maps that are made and filled where there is something for them.

type query struct {
	path string
	args map[string]string
}

var queries = sync.Pool{New: func() any { return new(query) }}

func runQuery(path string, pairs []string) string {
	q := queries.Get().(*query)
	q.path = path
	if len(pairs) > 0 {
		q.args = make(map[string]string, len(pairs)) // want `field args of the query from a pool is set only where it applies`
		for _, p := range pairs {
			q.args[p[:1]] = p[1:]
		}
	}
	s := q.path + q.args["k"]
	queries.Put(q)
	return s
}

type lookup struct {
	size  int
	index map[int]bool
}

var lookups = sync.Pool{New: func() any { return &lookup{} }}

func newLookup(size int, known *[4]int) *lookup {
	l := lookups.Get().(*lookup)
	l.size = size
	if known != nil {
		l.index = map[int]bool{} // want `field index of the lookup from a pool is set only where it applies`
		l.index[known[0]] = true
		l.index[known[1]] = true
	}
	return l
}

func (l *lookup) has(n int) bool { return n < l.size && l.index[n] }

func anyKnown(list []int, known *[4]int) bool {
	l := newLookup(len(list), known)
	defer lookups.Put(l)
	for _, n := range list {
		if l.has(n) {
			return true
		}
	}
	return false
}

// This one is emptied on the way to the pool.

type header struct {
	name string
	more map[string]string
}

var headers = sync.Pool{New: func() any { return new(header) }}

func runHeader(name string, pairs []string) string {
	h := headers.Get().(*header)
	h.name = name
	if len(pairs) > 0 {
		h.more = make(map[string]string, len(pairs))
		for _, p := range pairs {
			h.more[p[:1]] = p[1:]
		}
	}
	s := h.name + h.more["k"]
	h.more = nil
	headers.Put(h)
	return s
}

// This one is asked for only where it was filled.

type table struct {
	named bool
	rows  map[string]int
}

var tables = sync.Pool{New: func() any { return new(table) }}

func runTable(names []string, k string) int {
	t := tables.Get().(*table)
	t.named = len(names) > 0
	if t.named {
		t.rows = make(map[string]int, len(names))
		for i, n := range names {
			t.rows[n] = i
		}
	}
	n := 0
	if t.named {
		n = t.rows[k]
	}
	tables.Put(t)
	return n
}

// And this one remembers, for all who take it.

type memo struct {
	text string
	seen map[string]int
}

var memos = sync.Pool{New: func() any { return new(memo) }}

func runMemo(text string) int {
	m := memos.Get().(*memo)
	m.text = text
	if m.seen == nil {
		m.seen = make(map[string]int)
	}
	n, ok := m.seen[text]
	if !ok {
		n = len(text) * 2
		m.seen[m.text] = n
	}
	memos.Put(m)
	return n
}
