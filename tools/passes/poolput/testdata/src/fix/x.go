package fix

import "sync"

var slabs = sync.Pool{New: func() any { return new([]byte) }}

func get() []byte { return *slabs.Get().(*[]byte) }

func free(b []byte) {
	slabs.Put(&b) // want `the address of the local variable b`
}

func bound(s string, save func([]byte)) {
	b := get()[:0]
	defer free(b) // want `the deferred call puts b as it is here`
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
	t.free.Put(n) // want `n, put in free at line 30, may be nil`
	return n != nil
}
