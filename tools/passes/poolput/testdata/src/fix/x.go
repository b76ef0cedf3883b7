package fix

import "sync"

var slabs = sync.Pool{New: func() any { return new([]byte) }}

func get() []byte { return *slabs.Get().(*[]byte) }

func free(b []byte) {
	slabs.Put(&b) // want `the address of the local variable b`
}

func bound(s string, save func([]byte)) {
	b := get()[:0]
	defer free(b) // want `the deferred call puts the slice as it is here`
	b = append(b, s...)
	save(b)
}
