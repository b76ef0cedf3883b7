// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spare-go/spare"
)

// The text of this example stands in README.md, too; a test compares them.
func Example() {
	buffers := spare.Pool[bytes.Buffer]{Reset: (*bytes.Buffer).Reset}
	b := buffers.Get() // one that was put, or new(bytes.Buffer)
	fmt.Fprintf(b, "hello, %s\n", "gopher")
	os.Stdout.Write(b.Bytes())
	buffers.Put(b) // b is the pool's again

	var ints spare.Slices[int]
	s := ints.Get(100) // length 0, room for at least 100
	s = append(s, 1, 2, 3)
	fmt.Println(s)
	ints.Put(s) // takes whichever array append left
	// Output:
	// hello, gopher
	// [1 2 3]
}

// A Pool is usually a variable of a package, or a field of a long-lived value.
func ExamplePool() {
	type request struct {
		path   string
		params map[string]string
	}
	pool := spare.Pool[request]{
		New:   func() *request { return &request{params: make(map[string]string)} },
		Reset: func(r *request) { r.path = ""; clear(r.params) },
		Name:  "requests",
	}
	handle := func(path, user string) {
		r := pool.Get()
		defer pool.Put(r)
		r.path = path
		r.params["user"] = user
		fmt.Println(r.path, r.params)
	}
	handle("/a", "jack")
	handle("/b", "jill")
	// Output:
	// /a map[user:jack]
	// /b map[user:jill]
}

func ExamplePool_New() {
	pool := spare.Pool[strings.Replacer]{
		New: func() *strings.Replacer { return strings.NewReplacer("<", "&lt;", ">", "&gt;") },
	}
	r := pool.Get()
	fmt.Println(r.Replace("<b>"))
	pool.Put(r)
	// Output: &lt;b&gt;
}

// Reset clears what the next user must not see.
func ExamplePool_Reset() {
	type session struct{ user, token string }
	pool := spare.Pool[session]{Reset: func(s *session) { *s = session{} }}
	s := pool.Get()
	s.user, s.token = "jack", "secret"
	pool.Put(s)
	fmt.Printf("%+v\n", *pool.Get())
	// Output: {user: token:}
}

// Keep refuses a buffer that one large response has blown up.
func ExamplePool_Keep() {
	pool := spare.Pool[bytes.Buffer]{
		Reset: (*bytes.Buffer).Reset,
		Keep:  func(b *bytes.Buffer) bool { return b.Cap() <= 64<<10 },
	}
	b := pool.Get()
	b.Write(make([]byte, 1<<20))
	pool.Put(b)
	fmt.Println(pool.Stats().Drops, "dropped")
	// Output: 1 dropped
}

// Drop closes what the pool lets go.
func ExamplePool_Drop() {
	type scratch struct{ f *os.File }
	pool := spare.Pool[scratch]{
		New: func() *scratch {
			f, err := os.CreateTemp("", "example")
			if err != nil {
				panic(err)
			}
			return &scratch{f}
		},
		Drop: func(s *scratch) {
			s.f.Close()
			os.Remove(s.f.Name())
			fmt.Println("removed")
		},
	}
	s := pool.Get()
	fmt.Fprintln(s.f, "some lines")
	pool.Put(s)
	pool.Drain()
	// Output: removed
}

// Size and MaxIdle bound what a pool of values of unlike size may hold.
func ExamplePool_Size() {
	pool := spare.Pool[bytes.Buffer]{
		Reset:   (*bytes.Buffer).Reset,
		Size:    (*bytes.Buffer).Cap,
		MaxIdle: 100 << 10,
	}
	pool.Put(bytes.NewBuffer(make([]byte, 60<<10)))
	pool.Put(bytes.NewBuffer(make([]byte, 60<<10))) // no room
	s := pool.Stats()
	fmt.Println(s.Idle, "idle,", s.IdleBytes, "bytes,", s.Drops, "dropped")
	// Output: 1 idle, 61440 bytes, 1 dropped
}

func ExamplePool_MaxIdle() {
	pool := spare.Pool[[1024]byte]{MaxIdle: 4096}
	for range 10 {
		pool.Put(new([1024]byte))
	}
	fmt.Println(pool.Stats().IdleBytes)
	// Output: 4096
}

func ExamplePool_Name() {
	pool := spare.Pool[bytes.Buffer]{Name: "responses"}
	pool.Put(pool.Get())
	for name, stats := range spare.All() {
		if name == pool.Name {
			fmt.Println(name, stats.Gets)
		}
	}
	// Output: responses 1
}

func ExamplePool_Get() {
	var pool spare.Pool[bytes.Buffer]
	b := pool.Get() // owned by this function alone
	b.WriteString("hello")
	fmt.Println(b)
	b.Reset()
	pool.Put(b)
	// Output: hello
}

// What Put takes must not be referred to any more: copy what outlives it.
func ExamplePool_Put() {
	pool := spare.Pool[bytes.Buffer]{Reset: (*bytes.Buffer).Reset}
	render := func(name string) string {
		b := pool.Get()
		defer pool.Put(b)
		fmt.Fprintf(b, "hello, %s", name)
		return b.String() // a copy; b.Bytes() would be the buffer's own
	}
	fmt.Println(render("gopher"))
	// Output: hello, gopher
}

func ExamplePool_Drain() {
	var pool spare.Pool[bytes.Buffer]
	pool.Put(new(bytes.Buffer))
	pool.Drain() // on shutdown, or when memory is needed for something else
	fmt.Println(pool.Stats().Idle)
	// Output: 0
}

func ExamplePool_Stats() {
	pool := spare.Pool[bytes.Buffer]{Keep: func(*bytes.Buffer) bool { return false }}
	for range 4 {
		pool.Put(pool.Get())
	}
	s := pool.Stats()
	fmt.Printf("%d of %d Gets found nothing, %d of %d Puts were refused\n", s.News, s.Gets, s.Drops, s.Puts)
	// Output: 4 of 4 Gets found nothing, 4 of 4 Puts were refused
}

func ExampleSlices() {
	var words spare.Slices[string]
	count := func(text string) int {
		list := words.Get(0) // as large as it usually becomes
		for w := range strings.FieldsSeq(text) {
			list = append(list, w)
		}
		n := len(list)
		words.Put(list)
		return n
	}
	fmt.Println(count("to be or not to be"))
	// Output: 6
}

func ExampleSlices_MaxCap() {
	lines := spare.Slices[byte]{MaxCap: 64 << 10}
	lines.Put(make([]byte, 0, 1<<20)) // left to the collector
	fmt.Println(lines.Stats().Idle)
	// Output: 0
}

func ExampleSlices_MaxIdle() {
	blocks := spare.Slices[byte]{MaxIdle: 1 << 20}
	for range 1000 {
		blocks.Put(make([]byte, 0, 4096))
	}
	fmt.Println(blocks.Stats().IdleBytes <= 1<<20)
	// Output: true
}

// Zero keeps secrets from staying in memory.
func ExampleSlices_Zero() {
	keys := spare.Slices[byte]{Zero: true}
	key := append(keys.Get(64), "secret"...)
	keys.Put(key)
	fmt.Printf("%q\n", keys.Get(64)[:6])
	// Output: "\x00\x00\x00\x00\x00\x00"
}

func ExampleSlices_Name() {
	blocks := spare.Slices[byte]{Name: "blocks"}
	blocks.Put(blocks.Get(4096))
	for name, stats := range spare.All() {
		if name == blocks.Name {
			fmt.Println(name, stats.Puts)
		}
	}
	// Output: blocks 1
}

func ExampleSlices_Get() {
	var pool spare.Slices[byte]
	s := pool.Get(100)
	fmt.Println(len(s), cap(s) >= 100)
	s = append(s, "hello"...)
	fmt.Printf("%s\n", s)
	pool.Put(s)
	// Output:
	// 0 true
	// hello
}

// Put takes the slice as append left it, grown or not.
func ExampleSlices_Put() {
	var pool spare.Slices[byte]
	s := pool.Get(64)
	for i := range 100 {
		s = strconv.AppendInt(s, int64(i), 10)
	}
	io.Discard.Write(s)
	pool.Put(s)
	fmt.Println(pool.Stats().Puts)
	// Output: 1
}

// Grow gives the old array back at once, where append would leave it to the
// collector.
func ExampleSlices_Grow() {
	var pool spare.Slices[int]
	s := append(pool.Get(2), 1, 2)
	s = pool.Grow(s, 1000)
	fmt.Println(s, cap(s)-len(s) >= 1000, pool.Stats().Puts)
	pool.Put(s)
	// Output: [1 2] true 1
}

func ExampleSlices_Drain() {
	var pool spare.Slices[byte]
	pool.Put(pool.Get(1000))
	pool.Drain()
	fmt.Println(pool.Stats().IdleBytes)
	// Output: 0
}

func ExampleSlices_Stats() {
	var pool spare.Slices[byte]
	pool.Put(pool.Get(4096))
	s := pool.Stats()
	fmt.Println(s.Gets, s.News, s.Puts, s.Idle, s.IdleBytes)
	// Output: 1 1 1 1 4096
}

// The share of Gets that were spared an allocation.
func ExampleStats() {
	s := spare.Stats{Gets: 1000, News: 20, Puts: 1000, Drops: 5, Idle: 15, IdleBytes: 15 << 10}
	fmt.Printf("%.1f%% reused\n", 100*(1-float64(s.News)/float64(s.Gets)))
	// Output: 98.0% reused
}

func ExampleAll() {
	a := spare.Pool[bytes.Buffer]{Name: "example: headers"}
	defer a.Drain()
	b := spare.Slices[byte]{Name: "example: bodies"}
	defer b.Drain()
	a.Put(a.Get())
	b.Put(b.Get(100))
	b.Get(5000)
	for name, stats := range spare.All() {
		if what, ok := strings.CutPrefix(name, "example: "); ok {
			fmt.Println(what, stats.Gets)
		}
	}
	// Output:
	// bodies 2
	// headers 1
}
