package headers

import "sync"

var sizes = []int{1 << 10, 4 << 10, 16 << 10}

var bySize [3]sync.Pool

func get(n int) []byte {
	for i := range sizes {
		if n <= sizes[i] {
			if p, ok := bySize[i].Get().(*[]byte); ok {
				return (*p)[:n]
			}
			return make([]byte, n, sizes[i])
		}
	}
	return make([]byte, n)
}

// Up through the classes, the first that is reached is the smallest.

func putFirst(b []byte) {
	for i := range sizes {
		if cap(b) >= sizes[i] {
			bySize[i].Put(&b) // want `address of the local` `the first class that the capacity reaches .* is the smallest`
			return
		}
	}
}

func putFirstValue(b []byte) {
	c := cap(b)
	for i, size := range sizes {
		if size <= c {
			bySize[i].Put(&b) // want `address of the local` `the first class that the capacity reaches .* is the smallest`
			break
		}
	}
}

func putFirstCounted(b []byte) {
	for i := 0; i < len(sizes); i++ {
		if sizes[i] > cap(b) {
			continue
		}
		bySize[i].Put(&b) // want `address of the local`
		return
	}
}

type class struct {
	size int
	pool sync.Pool
}

type pools struct{ classes []class }

func (p *pools) get(n int) *[]byte {
	for i := range p.classes {
		if n <= p.classes[i].size {
			b, _ := p.classes[i].pool.Get().(*[]byte)
			return b
		}
	}
	return nil
}

func (p *pools) put(b *[]byte) {
	for i := range p.classes {
		if cap(*b) >= p.classes[i].size {
			p.classes[i].pool.Put(b) // want `the first class that the capacity reaches .* is the smallest`
			return
		}
	}
}

// Down through the classes, to the largest that is reached; the one that is met; and the
// first that is larger.

func putLast(b []byte) {
	for i := len(sizes) - 1; i >= 0; i-- {
		if cap(b) >= sizes[i] {
			bySize[i].Put(&b) // want `address of the local`
			return
		}
	}
}

func putExact(b []byte) {
	for i := range sizes {
		if cap(b) == sizes[i] {
			bySize[i].Put(&b) // want `address of the local`
			return
		}
	}
}

func putBetween(b []byte) {
	for i := range sizes {
		if cap(b) >= sizes[i] && (i+1 == len(sizes) || cap(b) < sizes[i+1]) {
			bySize[i].Put(&b) // want `address of the local`
			return
		}
	}
}

// The sizes go down.
var down = []int{16 << 10, 4 << 10, 1 << 10}

var byDown [3]sync.Pool

func putDown(b []byte) {
	for i := range down {
		if cap(b) >= down[i] {
			byDown[i].Put(&b) // want `address of the local`
			return
		}
	}
}

func getDown(k int) any { return byDown[k].Get() }
