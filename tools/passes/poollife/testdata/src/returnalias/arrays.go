package returnalias

import (
	"bytes"
	"sync"
)

// Arrays that are returned by value lead to what their elements do.

type half struct{ b []byte }

var (
	halves    = sync.Pool{New: func() any { return new(half) }}
	arrayBufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

func bothHalves() [2]*half { return [2]*half{halves.Get().(*half), halves.Get().(*half)} }

func firstHalf(ok bool) (hs [2]*half) {
	h := halves.Get().(*half)
	if !ok {
		halves.Put(h)
		return hs
	}
	hs[0] = h
	return hs
}

func useHalves(n int) int {
	hs := bothHalves()
	for _, h := range hs {
		n += len(h.b)
		halves.Put(h)
	}
	return n
}

func cutInTwo(p []byte) [2][]byte {
	b := arrayBufs.Get().(*bytes.Buffer)
	b.Reset()
	defer arrayBufs.Put(b)
	b.Write(p)
	return [2][]byte{b.Bytes()[:1], b.Bytes()[1:]} // want `memory of b is returned`
}

func cutInTwoCopied(p []byte) [2][]byte {
	b := arrayBufs.Get().(*bytes.Buffer)
	b.Reset()
	defer arrayBufs.Put(b)
	b.Write(p)
	return [2][]byte{bytes.Clone(b.Bytes()[:1]), bytes.Clone(b.Bytes()[1:])}
}
