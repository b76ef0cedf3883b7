package noroom

import "sync"

// Wrong: elements are taken again behind the length, but there is nothing in them to be used again.
type label struct{ name, value string }

type line struct{ labels []label }

func (l *line) next() *label {
	if len(l.labels) < cap(l.labels) {
		l.labels = l.labels[:len(l.labels)+1]
	} else {
		l.labels = append(l.labels, label{})
	}
	return &l.labels[len(l.labels)-1]
}

func (l *line) reset() { l.labels = l.labels[:0] }

var lines = sync.Pool{New: func() any { return new(line) }}

func parse(text string, each func([]label)) {
	l := lines.Get().(*line)
	for i := range text {
		if text[i] == '=' {
			x := l.next()
			x.name, x.value = text[:i], text[i+1:]
		}
	}
	each(l.labels)
	l.reset()
	lines.Put(l) // want `l\.labels is cut to length 0 \(line 19\) but not cleared`
}

// Wrong: the same with a slice type of its own, and values of any type.
type pair struct{ key, value any }

type pairs []pair

func (p *pairs) set(key, value any) {
	s := *p
	if n := len(s); n < cap(s) {
		s = s[:n+1]
		s[n] = pair{key, value}
		*p = s
		return
	}
	*p = append(s, pair{key, value})
}

func (p *pairs) empty() { *p = (*p)[:0] }

type visit struct {
	user  pairs
	count int
}

var visits = sync.Pool{New: func() any { return new(visit) }}

func handle(key, value any, f func(*visit)) {
	v := visits.Get().(*visit)
	v.user.set(key, value)
	f(v)
	v.user.empty()
	visits.Put(v) // want `\*p is cut to length 0 \(line 52\) but not cleared`
}

// Right: the elements have buffers that the next user writes into.
type arg struct{ key, value []byte }

type args struct{ list []arg }

func (a *args) next() *arg {
	if len(a.list) < cap(a.list) {
		a.list = a.list[:len(a.list)+1]
	} else {
		a.list = append(a.list, arg{})
	}
	return &a.list[len(a.list)-1]
}

var argPool = sync.Pool{New: func() any { return new(args) }}

func addArgs(in map[string]string, each func([]arg)) {
	a := argPool.Get().(*args)
	for k, v := range in {
		x := a.next()
		x.key, x.value = append(x.key[:0], k...), append(x.value[:0], v...)
	}
	each(a.list)
	a.list = a.list[:0]
	argPool.Put(a)
}

// Right: cleared first.
type note struct{ text string }

type notes struct{ list []note }

func (n *notes) add(text string) {
	if len(n.list) < cap(n.list) {
		n.list = n.list[:len(n.list)+1]
		n.list[len(n.list)-1].text = text
		return
	}
	n.list = append(n.list, note{text})
}

var notePool = sync.Pool{New: func() any { return new(notes) }}

func write(text string, each func([]note)) {
	n := notePool.Get().(*notes)
	n.add(text)
	each(n.list)
	clear(n.list)
	n.list = n.list[:0]
	notePool.Put(n)
}
