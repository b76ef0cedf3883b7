package fixed

import "sync"

var slabs = sync.Pool{New: func() any { return new([]byte) }}

func get() []byte { return *slabs.Get().(*[]byte) }

func free(b []byte) {
	slabs.Put(&b) // want `the address of the local variable b`
}

func bound(s string, save func([]byte)) {
	b := get()[:0]
	defer func() { free(b) }()
	b = append(b, s...)
	save(b)
}

type node struct{ key string }

type table struct {
	m    map[string]*node
	free sync.Pool
}

func (t *table) remove(k string) bool {
	n := t.m[k]
	delete(t.m, k)
	if n != nil {
		t.free.Put(n)
	}
	return n != nil
}
