// SPDX-License-Identifier: BSD-3-Clause

package gzippool_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/spare-go/spare/codec/gzippool"
)

// In place of gzip.NewWriter and gzip.NewReader.
func Example() {
	var b bytes.Buffer
	w := gzippool.Get(&b)
	defer gzippool.Put(w) // if something fails before Close
	w.Name = "greeting.txt"
	io.WriteString(w, "hello")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := gzippool.GetReader(&b, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	fmt.Printf("%s: %s %v\n", r.Name, text, err)
	// Output: greeting.txt: hello <nil>
}

func ExampleAppendCompress() {
	z := gzippool.AppendCompress(nil, []byte("hello"))
	text, err := gzippool.AppendDecompress([]byte("they say "), z, 100)
	fmt.Printf("%s %v\n", text, err)
	// Output: they say hello <nil>
}

func ExampleErrTooLarge() {
	bomb := gzippool.AppendCompress(nil, make([]byte, 1<<20))
	_, err := gzippool.AppendDecompress(nil, bomb, 1000)
	fmt.Println(errors.Is(err, gzippool.ErrTooLarge), err)
	// Output: true gzippool: decompressed data exceed the limit of 1000 bytes
}

func ExampleDecompress() {
	var b, out strings.Builder
	if _, err := gzippool.Compress(&b, strings.NewReader("from a stream")); err != nil {
		log.Fatal(err)
	}
	n, err := gzippool.Decompress(&out, strings.NewReader(b.String()), 100)
	fmt.Println(n, out.String(), err)
	// Output: 13 from a stream <nil>
}

// A pool of one's own, with the standard library behind it.
func ExamplePool() {
	pool := gzippool.Pool{Backend: gzippool.Standard, MaxIdle: 4 << 20, Name: "reports"}
	z, err := pool.GetLevel(io.Discard, gzippool.BestSpeed)
	if err != nil {
		log.Fatal(err)
	}
	defer gzippool.Put(z)
	fmt.Fprintln(z, "report")
	fmt.Println(z.Close())
	// Output: <nil>
}
