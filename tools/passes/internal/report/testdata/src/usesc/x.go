// Package usesc has a file that cmd/cgo rewrites before an analyzer sees it.
package usesc

// static int twice(int x) { return 2 * x; }
import "C"

import "sync"

type frame struct{ b [64]byte }

var frames = sync.Pool{New: func() any { return new(frame) }}

func again() int {
	f := frames.Get().(*frame)
	n := int(C.twice(C.int(f.b[0])))
	frames.Put(f)
	frames.Put(f) // want `f is put in frames a second time; the first Put is at line 16`
	return n
}

func late() int {
	f := frames.Get().(*frame)
	frames.Put(f)
	return int(C.twice(C.int(f.b[0]))) // want `f is read after it was put in frames \(line 23\)`
}

func right() int {
	f := frames.Get().(*frame)
	n := int(C.twice(C.int(f.b[0])))
	frames.Put(f)
	return n
}

func silenced() {
	f := frames.Get().(*frame)
	n := C.twice(C.int(f.b[0]))
	_ = n
	frames.Put(f)
	frames.Put(f) //spare:ignore double-put a test of the comment
}
