// Package sites allocates in known ways. The tests find the lines by the
// comments at their ends.
package sites

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
)

// Slice makes n bytes that die at once.
func Slice(n int, use func([]byte)) {
	b := make([]byte, n) // slice
	use(b)
}

// Compress makes a compressor, whose tables the first Write makes.
func Compress(w io.Writer, data []byte) error {
	zw := gzip.NewWriter(w) // gzip
	return send(zw, data)
}

func send(zw *gzip.Writer, data []byte) error {
	if _, err := zw.Write(data); err != nil { // write
		return err
	}
	return zw.Close()
}

// Format grows a buffer in another function.
func Format(w io.Writer, n int) error {
	var buf bytes.Buffer // buffer
	for i := range n {
		line(&buf, i)
	}
	_, err := w.Write(buf.Bytes())
	return err
}

func line(buf *bytes.Buffer, i int) {
	buf.WriteString(strconv.Itoa(i + 1000))                                         // itoa
	fmt.Fprintf(buf, " %s\n", "a line that is long enough to make the buffer grow") // grow
}

type thing struct {
	name  string
	parts []int
	index map[int]int
}

func newThing(n int) *thing {
	return &thing{parts: make([]int, 0, n), index: make(map[int]int, n)}
}

// Things makes a thing through the program's own constructor.
func Things(use func(*thing)) {
	t := newThing(100) // thing
	use(t)
}

var kept [][]byte

// Keep makes values that stay.
func Keep() {
	kept = append(kept, make([]byte, 512)) // kept
}

// OnStack makes a value that is not on the heap.
func OnStack(n byte) byte {
	scratch := make([]byte, 4096) // stack
	for i := range scratch {
		scratch[i] = n
	}
	return scratch[n]
}

// Count boxes a number.
func Count(n int, print func(...any)) {
	print(n + 1000) // boxed
}

// Grow appends to a slice of unknown size.
func Grow(n int, use func([]int)) {
	var s []int // grown
	for i := range n {
		s = append(s, i) // append
	}
	use(s)
}

// Join has a buffer of its own.
func Join(parts []string) string {
	var buf bytes.Buffer // joined
	for _, p := range parts {
		buf.WriteString(p)
	}
	return buf.String()
}
