package generated

import "bytes"

func oversize(p []byte) string {
	b := bufs.Get().(*bytes.Buffer)
	b.Write(p)
	s := b.String()
	b.Reset()
	bufs.Put(b) // want `bufs keeps b, put at line 10, whatever its size`
	return s
}

// Out of the generated file, and into its pool through it.
func unresetBoth(p []byte) string {
	b := take()
	defer give(b)
	b.Write(p) // want `b, taken from unreset at line 16, is written to without a reset, and a Put at line 20 of gen\.go returns it with content`
	return b.String()
}

func refs(x *int) {
	p := lists.Get().(*[]*int)
	*p = append((*p)[:0], x)
	*p = (*p)[:0]
	if cap(*p) < 100 {
		lists.Put(p) // want `\*p is cut to length 0 \(line 25\) but not cleared before it goes to lists \(line 27\)`
	}
}

func right(p []byte) string {
	b := take()
	defer give(b)
	b.Reset()
	b.Write(p)
	return b.String()
}
