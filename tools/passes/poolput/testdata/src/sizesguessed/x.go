package sizesguessed

import (
	"flag"
	"math/bits"
	"sync"
)

// A panic that hangs on something else than the size says nothing about what is put.

var exact [12]sync.Pool

func exactly(n int) []byte {
	k := bits.Len(uint(n - 1))
	if p, ok := exact[k].Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, n, 1<<k)
}

func free(b []byte) {
	if !flag.Parsed() {
		panic("before the start")
	}
	n := cap(b)
	if n&(n-1) != 0 {
		return
	}
	exact[bits.Len(uint(n))-1].Put(&b) // want `address of the local variable b`
}

func quote(dst, src []byte) []byte {
	if len(dst) < len(src)+2 {
		dst = make([]byte, len(src)+2)
	}
	dst[0] = '"'
	n := copy(dst[1:], src)
	dst[n+1] = '"'
	return dst[:n+2]
}

func quoted(src []byte, send func([]byte)) {
	b := quote(exactly(len(src)), src)
	send(b)
	free(b)
}
