package a

import "sync"

type node struct {
	next *node
	key  string
}

type lru struct {
	m    map[string]*node
	free sync.Pool
}

// A key that is not there gives nil.
func (l *lru) remove(k string) bool {
	n := l.m[k]
	delete(l.m, k)
	l.free.Put(n) // want `n, put in free at line 19, may be nil, as it is compared with nil only later`
	return n != nil
}

func (l *lru) take(k string) (string, bool) {
	n, ok := l.m[k]
	l.free.Put(n) // want `n, put in free at line 25, may be nil`
	if !ok {
		return "", false
	}
	return "found", true
}

func (l *lru) removeRight(k string) bool {
	n := l.m[k]
	if n == nil {
		return false
	}
	delete(l.m, k)
	l.free.Put(n)
	return true
}

func (l *lru) takeRight(k string) bool {
	n, ok := l.m[k]
	if ok {
		l.free.Put(n)
	}
	return ok
}

// That the next one may be nil says nothing of this one.
func (l *lru) drop(n *node) bool {
	next := n.next
	l.free.Put(n)
	return next != nil
}
