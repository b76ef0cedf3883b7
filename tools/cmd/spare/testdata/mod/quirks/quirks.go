// Package quirks allocates in ways that are easy to misread. The tests find the
// lines by the comments at their ends.
package quirks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Render grows a buffer, which is on the heap itself.
func Render(n int, w io.Writer) error {
	var page bytes.Buffer // page
	for i := range n {
		fmt.Fprintf(&page, "line %d of a page\n", i) // printed
	}
	_, err := page.WriteTo(w)
	return err
}

// RenderNew is Render with a buffer that new makes.
func RenderNew(n int, w io.Writer) error {
	page := new(bytes.Buffer) // new page
	for i := range n {
		fmt.Fprintf(page, "line %d of a page\n", i)
	}
	_, err := page.WriteTo(w)
	return err
}

// A Point is small.
type Point struct {
	X, Y int
	Name [100]byte
}

// Decode decodes into a variable, which is on the heap for that.
func Decode(data []byte) (int, error) {
	var p struct { // decoded
		Points []Point
		Notes  [8]string
	}
	err := json.Unmarshal(data, &p) // unmarshal
	return len(p.Points), err
}

// ReadBody uses what it reads in several lines.
func ReadBody(r io.Reader, use func([]byte)) (int, error) {
	body, err := io.ReadAll(r) // body
	if err != nil {
		return 0, err
	}
	use(body)         // used
	head := body[:10] // alias
	return len(head), nil
}

// ReadAndReturn gives the data away.
func ReadAndReturn(r io.Reader) []byte {
	data, _ := io.ReadAll(r) // given
	return data              // away
}

type state struct{ buf [512]byte }

func newState() *state { return new(state) } // state

var states = sync.Pool{New: func() any { return newState() }}

// Miss takes two values from a pool that is empty.
func Miss(use func(*state)) {
	s := states.Get().(*state) // first
	use(s)
	use(states.Get().(*state)) // second
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Outgrow takes a buffer from a pool and has it grow.
func Outgrow(w io.Writer, n int) {
	b := buffers.Get().(*bytes.Buffer) // pooled
	for range n {
		b.WriteString("text that makes it grow") // outgrown
	}
	w.Write(b.Bytes())
}

// Tiny reads from memory.
func Tiny(data []byte, read func(io.Reader)) {
	read(bytes.NewReader(data)) // tiny
}

type order struct {
	ID    [20]int
	Lines []int
}

// Order makes a struct, and on the same line the slice that it holds.
func Order(n int) (int, error) {
	o := &order{Lines: make([]int, n)} // order
	data, err := json.Marshal(o)       // marshal
	return len(data), err
}

// Several makes several values on one line, of sizes that are not constant.
func Several(n int, use func([]int, map[int]int)) {
	use(make([]int, n), make(map[int]int, n)) // several
}

type list struct {
	Points []Point
	Notes  [64]string
}

// Fill decodes into a struct that can be pooled; what it decodes is new each time.
func Fill(data []byte) (int, error) {
	var list list                      // filled
	err := json.Unmarshal(data, &list) // fills
	return len(list.Points), err
}

// Scratch has values that stay on the stack.
func Scratch(n byte) (sum int) {
	var table [256]int     // table
	p := Point{X: int(n)}  // point
	q := &Point{Y: int(n)} // pointer
	for i := range table {
		table[i] = i + p.X + q.Y
	}
	for _, v := range table {
		sum += v
	}
	return sum
}
