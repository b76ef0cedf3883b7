// SPDX-License-Identifier: BSD-3-Clause

package buffer_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spare-go/spare/buffer"
)

func ExampleNew() {
	greet := func(name string) string {
		b := buffer.New()
		defer b.Release()
		b.WriteString("Hello, ")
		b.WriteString(name)
		b.WriteByte('!')
		return b.String()
	}
	fmt.Println(greet("gopher"))
	// Output: Hello, gopher!
}

func ExampleGet() {
	b := buffer.Get()
	defer b.Release()
	if err := json.NewEncoder(b).Encode(map[string]int{"answer": 42}); err != nil {
		fmt.Println(err)
	}
	b.WriteTo(os.Stdout)
	// Output: {"answer":42}
}

func ExampleNewBuffer() {
	b := buffer.NewBuffer([]byte("one two"))
	b.Next(4)
	b.WriteString(" three")
	fmt.Println(b)
	// Output: two three
}

func ExampleNewBufferString() {
	b := buffer.NewBufferString("one two")
	word, _ := b.ReadString(' ')
	fmt.Printf("%q %q\n", word, b)
	// Output: "one " "two"
}

func ExampleBuffer() {
	var b buffer.Buffer // needs no initialization
	b.Write([]byte("Hello "))
	fmt.Fprintf(&b, "world!\n")
	b.WriteTo(os.Stdout)
	// Output: Hello world!
}

func ExampleBuffer_Release() {
	b := buffer.Get()
	b.WriteString("for one user")
	b.Release()
	b.Release() //spare:ignore double-put it does nothing
	c := buffer.Get()
	defer c.Release()
	fmt.Println(c.Len())
	// Output: 0
}

// The contents of a Buffer that is released must not be returned; Detach takes
// them out of it.
func ExampleBuffer_Detach() {
	read := func(r io.Reader) ([]byte, error) {
		b := buffer.Get()
		defer b.Release()
		if _, err := b.ReadFrom(r); err != nil {
			return nil, err
		}
		return b.Detach(), nil
	}
	data, err := read(strings.NewReader("all of it"))
	fmt.Printf("%s %v\n", data, err)
	// Output: all of it <nil>
}

func ExampleBuffer_Reader() {
	b := buffer.Get()
	defer b.Release()
	b.WriteString("to be read only")
	count := func(r io.Reader) int64 {
		n, _ := io.Copy(io.Discard, r)
		return n
	}
	fmt.Println(count(b.Reader()), b.Len())
	// Output: 15 0
}

func ExampleReader() {
	b := buffer.NewBufferString("x=1")
	r := b.Reader()
	_, canWrite := any(r).(io.Writer)
	c, _ := r.ReadByte()
	fmt.Println(canWrite, string(c), r.Len())
	// Output: false x 2
}

func ExampleBuffer_ReadFrom() {
	b := buffer.Get()
	defer b.Release()
	n, err := b.ReadFrom(strings.NewReader("strings.Reader knows its length"))
	fmt.Println(n, err)
	// Output: 31 <nil>
}

func ExampleBuffer_AvailableBuffer() {
	b := buffer.Get()
	defer b.Release()
	for i := range 3 {
		b.Write(fmt.Appendf(b.AvailableBuffer(), "%d,", i))
	}
	fmt.Println(b)
	// Output: 0,1,2,
}

func ExampleReleaseFrom() {
	b := buffer.Get()
	b.WriteString("contents")
	fmt.Println(b)
	buffer.ReleaseFrom(&b)
	fmt.Println(b == nil) // b.WriteString would panic here
	// Output:
	// contents
	// true
}
