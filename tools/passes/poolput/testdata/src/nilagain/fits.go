package nilagain

import (
	"io"
	"math/bits"
	"sync"
)

// A slice of no bytes is nil, and there is no pool for it.

var bySize [12]sync.Pool

var classSizes = [...]int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}

func sized(n int) []byte {
	if n < 1 {
		return nil
	}
	k := bits.Len(uint(n - 1))
	if p, ok := bySize[k].Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, n, classSizes[k])
}

func giveSized(b []byte) {
	c := cap(b)
	for k, n := range classSizes {
		if n == c {
			b = b[:n]
			bySize[k].Put(&b) // want `address of the local variable b`
			return
		}
	}
}

func copySized(w io.Writer, r io.Reader, n int) error { // right
	b := sized(n)
	defer giveSized(b)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

// Wrong: any slice goes to the first pool.

func giveAny(b []byte) { bySize[0].Put(&b) } // want `address of the local variable b`

func copyAny(w io.Writer, r io.Reader, n int) error {
	b := sized(n)
	defer giveAny(b) // want `b, which is nil, is put in .* on this path`
	_, err := io.ReadFull(r, b)
	return err
}
