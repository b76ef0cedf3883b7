package missingput

import (
	"io"
	"sync"
)

// A test for nil around the Put is no reason to lose the value on another path.

type guarded struct{ b [512]byte }

var guardedPool = sync.Pool{New: func() any { return new(guarded) }}

func readGuarded(r io.Reader, use func([]byte)) error {
	g := guardedPool.Get().(*guarded) // want `not put back on the path`
	n, err := r.Read(g.b[:])
	if err != nil {
		return err
	}
	use(g.b[:n])
	if g != nil {
		guardedPool.Put(g)
	}
	return nil
}
