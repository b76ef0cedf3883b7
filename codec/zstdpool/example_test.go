// SPDX-License-Identifier: BSD-3-Clause

package zstdpool_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/zstdpool"
)

// In place of zstd.NewWriter and zstd.NewReader.
func Example() {
	var b bytes.Buffer
	w := zstdpool.Get(&b)
	defer zstdpool.Put(w) // if something fails before Close
	io.WriteString(w, "hello")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := zstdpool.GetReader(&b, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	fmt.Printf("%s %v\n", text, err)
	// Output: hello <nil>
}

func ExampleAppendCompress() {
	z := zstdpool.AppendCompress(nil, []byte("hello"))
	text, err := zstdpool.AppendDecompress([]byte("they say "), z, 100)
	fmt.Printf("%s %v\n", text, err)
	// Output: they say hello <nil>
}

func ExampleErrTooLarge() {
	bomb := zstdpool.AppendCompress(nil, make([]byte, 1<<20))
	_, err := zstdpool.AppendDecompress(nil, bomb, 1000)
	fmt.Println(errors.Is(err, zstdpool.ErrTooLarge), err)
	// Output: true zstdpool: decompressed data exceed the limit of 1000 bytes
}

func ExampleDecompress() {
	var b, out strings.Builder
	if _, err := zstdpool.Compress(&b, strings.NewReader("from a stream")); err != nil {
		log.Fatal(err)
	}
	n, err := zstdpool.Decompress(&out, strings.NewReader(b.String()), 100)
	fmt.Println(n, out.String(), err)
	// Output: 13 from a stream <nil>
}

// A pool of one's own: many small messages of one kind, with a dictionary and little memory
// for each codec.
func ExamplePool() {
	dict := []byte(`{"user":"","path":"/api/v1/","status":200}`)
	pool := zstdpool.Pool{
		EncoderOptions: []zstd.EOption{zstd.WithEncoderDictRaw(1, dict), zstd.WithWindowSize(64 << 10)},
		DecoderOptions: []zstd.DOption{zstd.WithDecoderDictRaw(1, dict)},
		MaxIdle:        32 << 20,
	}
	z, err := pool.AppendCompressLevel(nil, []byte(`{"user":"jack","path":"/api/v1/orders","status":200}`), zstd.SpeedFastest)
	if err != nil {
		log.Fatal(err)
	}
	text, err := pool.AppendDecompress(nil, z, 1000)
	fmt.Printf("%s %v\n", text, err)
	// Output: {"user":"jack","path":"/api/v1/orders","status":200} <nil>
}
