package unclearedbeside

import (
	"io"
	"sync"
)

// Neither clears.

var lowPool, highPool sync.Pool

func GetLow(n int) *[]byte {
	if n <= 512 {
		return lowGet(n)
	}
	return highGet(n)
}

func lowGet(n int) *[]byte {
	if bs, ok := lowPool.Get().(*[]byte); ok {
		*bs = (*bs)[:n]
		return bs
	}
	b := make([]byte, n, 512)
	return &b
}

func highGet(n int) *[]byte {
	if bs, ok := highPool.Get().(*[]byte); ok && cap(*bs) >= n {
		*bs = (*bs)[:n]
		return bs
	}
	b := make([]byte, n)
	return &b
}

func PutLow(b *[]byte) {
	switch {
	case cap(*b) == 512:
		lowPool.Put(b)
	case cap(*b) > 512 && cap(*b) <= 1<<20:
		highPool.Put(b)
	}
}

// All callers write over all of it.

var inPool, outPool sync.Pool

func lineFor(n int) *[]byte {
	if n <= 512 {
		return inFor(n)
	}
	return outFor(n)
}

func inFor(n int) *[]byte {
	if bs, ok := inPool.Get().(*[]byte); ok {
		*bs = (*bs)[:n]
		clear(*bs)
		return bs
	}
	b := make([]byte, n, 512)
	return &b
}

func outFor(n int) *[]byte {
	if bs, ok := outPool.Get().(*[]byte); ok && cap(*bs) >= n {
		*bs = (*bs)[:n]
		return bs
	}
	b := make([]byte, n)
	return &b
}

func putLine(b *[]byte) {
	switch {
	case cap(*b) == 512:
		inPool.Put(b)
	case cap(*b) > 512 && cap(*b) <= 1<<20:
		outPool.Put(b)
	}
}

func ReadLine(r io.Reader, w io.Writer, n int) error {
	b := lineFor(n)
	defer putLine(b)
	if _, err := io.ReadFull(r, *b); err != nil {
		return err
	}
	_, err := w.Write(*b)
	return err
}

// Beyond the limit it is made anew.

var nearPool sync.Pool

func GetNear(n int) *[]byte {
	if n <= 512 {
		return nearGet(n)
	}
	return farGet(n)
}

func nearGet(n int) *[]byte {
	if bs, ok := nearPool.Get().(*[]byte); ok {
		*bs = (*bs)[:n]
		clear(*bs)
		return bs
	}
	b := make([]byte, n, 512)
	return &b
}

func farGet(n int) *[]byte {
	b := make([]byte, n)
	return &b
}

func PutNear(b *[]byte) {
	if cap(*b) == 512 {
		nearPool.Put(b)
	}
}

// Who takes it clears it, or who puts it, in a function around.

var slimPool, widePool, vastPool sync.Pool

func GetWide(n int) *[]byte {
	switch {
	case n <= 512:
		return slimGet(n)
	case n <= 4096:
		b := wideGet(n)
		clear(*b)
		return b
	}
	return vastGet(n)
}

func slimGet(n int) *[]byte {
	if bs, ok := slimPool.Get().(*[]byte); ok {
		*bs = (*bs)[:n]
		clear(*bs)
		return bs
	}
	b := make([]byte, n, 512)
	return &b
}

func wideGet(n int) *[]byte {
	if bs, ok := widePool.Get().(*[]byte); ok && cap(*bs) >= n {
		*bs = (*bs)[:n]
		return bs
	}
	b := make([]byte, n, 4096)
	return &b
}

func vastGet(n int) *[]byte {
	if bs, ok := vastPool.Get().(*[]byte); ok && cap(*bs) >= n {
		*bs = (*bs)[:n]
		return bs
	}
	b := make([]byte, n)
	return &b
}

func PutWide(b *[]byte) {
	switch {
	case cap(*b) == 512:
		slimPool.Put(b)
	case cap(*b) == 4096:
		widePool.Put(b)
	case cap(*b) <= 1<<20:
		scrub(*b)
		putVast(b)
	}
}

func putVast(b *[]byte) { vastPool.Put(b) }

func scrub(b []byte) {
	b = b[:cap(b)]
	for i := range b {
		b[i] = 0
	}
}

// Whether it is zero is asked for, not how much.

var zeroPool, dirtPool sync.Pool

func Alloc(n int, zero bool) *[]byte {
	if zero {
		return zeroAlloc(n)
	}
	return freshAlloc(n)
}

func AllocBy(n, flags int) *[]byte {
	if flags&1 != 0 {
		return zeroAlloc(n)
	}
	return freshAlloc(n)
}

func zeroAlloc(n int) *[]byte {
	if bs, ok := zeroPool.Get().(*[]byte); ok && cap(*bs) >= n {
		*bs = (*bs)[:n]
		clear(*bs)
		return bs
	}
	b := make([]byte, n)
	return &b
}

func freshAlloc(n int) *[]byte {
	if bs, ok := dirtPool.Get().(*[]byte); ok && cap(*bs) >= n {
		*bs = (*bs)[:n]
		return bs
	}
	b := make([]byte, n)
	return &b
}

func Free(b *[]byte, zero bool) {
	if cap(*b) > 1<<20 {
		return
	}
	if zero {
		zeroPool.Put(b)
		return
	}
	dirtPool.Put(b)
}

// Only what is put is cut: it comes with length 0, and is appended to.

var shortPool, longPool sync.Pool

func GetShort(n int) *[]byte {
	if n <= 512 {
		return shortGet(n)
	}
	return longGet(n)
}

func shortGet(n int) *[]byte {
	if bs, ok := shortPool.Get().(*[]byte); ok {
		clear((*bs)[:cap(*bs)])
		*bs = (*bs)[:0]
		return bs
	}
	b := make([]byte, 0, 512)
	return &b
}

func longGet(n int) *[]byte {
	if bs, ok := longPool.Get().(*[]byte); ok && cap(*bs) >= n {
		*bs = (*bs)[:0]
		return bs
	}
	b := make([]byte, 0, n)
	return &b
}

func PutShort(b *[]byte) {
	switch {
	case cap(*b) == 512:
		shortPool.Put(b)
	case cap(*b) > 512 && cap(*b) <= 1<<20:
		longPool.Put(b)
	}
}

// Only the head is cleared of the one, for all that.

var headPool, bodyPool sync.Pool

func GetHead(n int) *[]byte {
	if n <= 512 {
		return headGet(n)
	}
	return bodyGet(n)
}

func headGet(n int) *[]byte {
	if bs, ok := headPool.Get().(*[]byte); ok {
		*bs = (*bs)[:n]
		clear((*bs)[:8])
		return bs
	}
	b := make([]byte, n, 512)
	return &b
}

func bodyGet(n int) *[]byte {
	if bs, ok := bodyPool.Get().(*[]byte); ok && cap(*bs) >= n {
		*bs = (*bs)[:n]
		return bs
	}
	b := make([]byte, n)
	return &b
}

func PutHead(b *[]byte) {
	switch {
	case cap(*b) == 512:
		headPool.Put(b)
	case cap(*b) > 512 && cap(*b) <= 1<<20:
		bodyPool.Put(b)
	}
}
