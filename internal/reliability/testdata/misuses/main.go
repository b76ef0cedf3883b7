// SPDX-License-Identifier: BSD-3-Clause

// Command misuses misuses pools in the way that its argument names: in ways that
// are easy to come by, and other than those of the shapes.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/buffer"
)

type job struct {
	id   int
	tags map[string]string
	buf  []byte
}
type point struct{ x, y, z float64 }

var (
	jobs   = spare.Pool[job]{Name: "jobs"}
	points = spare.Pool[point]{Name: "points"}
	lines  = spare.Slices[byte]{Name: "lines"}
	rows   = spare.Slices[float64]{Name: "rows"}
)

type conn struct{ in []byte }

func (c *conn) next(n int) []byte { h := c.in[:n]; c.in = c.in[n:]; return h }

//go:noinline
func frame() *conn { return &conn{in: append(lines.Get(100), "headbody"...)} }

type ring struct{ chunks [][]byte }

type res struct{ j *job }

func (r *res) Close() { jobs.Put(r.j) }

// spin gives the collector, and with it the sweep, time to look.
func spin() {
	for range 30 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

var cases = map[string]func(){
	"loop-defer-captures-variable": func() {
		var j *job
		for i := range 3 {
			j = jobs.Get()
			j.id = i
			defer func() { jobs.Put(j) }()
		}
	},
	"consumed-prefix": func() {
		c := frame()
		c.next(4)
		lines.Put(c.in)
	},
	"chunks-of-one": func() {
		all := lines.Get(1 << 16)[:1<<16]
		var r ring
		for len(all) > 0 {
			r.chunks = append(r.chunks, all[:4096:4096])
			all = all[4096:]
		}
		for _, c := range r.chunks {
			lines.Put(c)
		}
	},
	"timer-writes": func() {
		p := points.Get()
		time.AfterFunc(time.Millisecond, func() { p.z = 1 })
		points.Put(p)
		time.Sleep(10 * time.Millisecond)
		spin()
	},
	"old-slice-of-grow": func() {
		s := append(lines.Get(64), "header"...)
		hdr := s[:6]
		s = lines.Grow(s, 1000)
		copy(hdr, "HEADER") // patches the length into the old array
		spin()
		lines.Put(s)
	},
	"copy-of-value": func() {
		j := *jobs.Get()
		j.id++
		jobs.Put(&j)
	},
	"two-goroutines-close": func() {
		j := jobs.Get()
		ctx, cancel := context.WithCancel(context.Background())
		context.AfterFunc(ctx, func() { (&res{j}).Close() })
		cancel()
		spin()
		(&res{j}).Close()
	},
	"reader-over-put-bytes": func() {
		s := append(lines.Get(100), "some text"...)
		r := bytes.NewReader(s)
		lines.Put(s)
		io.Copy(io.Discard, struct{ io.Reader }{r})
	},
	"bytes-of-released-buffer": func() {
		b := buffer.Get()
		b.WriteString("id=00000")
		id := b.Bytes()[3:]
		b.Release()
		copy(id, "12345")
		spin()
	},
	"inner-slice-twice": func() {
		j := jobs.Get()
		j.buf = lines.Get(100)
		free := func(j *job) { lines.Put(j.buf); jobs.Put(j) }
		again := j.buf
		free(j)
		lines.Put(again)
	},
	"row-of-matrix": func() {
		m := rows.Get(1000)[:1000]
		row := m[500:510]
		rows.Put(m)
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		fmt.Println(sum)
	},
	"error-path": func() {
		func() error {
			j := jobs.Get()
			if len(os.Args) > 1 {
				return errors.New("bad")
			}
			jobs.Put(j)
			return nil
		}()
		spin()
	},
	"string-of-bytes": func() {
		s := append(lines.Get(100), "key"...)
		m := map[string]int{unsafe.String(&s[0], len(s)): 1}
		lines.Put(s)
		lines.Put(append(lines.Get(100), "foo"...))
		fmt.Println(m["key"], len(m))
		for k := range m {
			fmt.Println(k)
		}
	},
	"concurrent-double-put": func() {
		for range 100 {
			p := points.Get()
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() { points.Put(p) })
			}
			wg.Wait()
		}
	},
	"interior-pointer-of-array": func() {
		all := make([]point, 10)
		points.Put(points.Get())
		for i := range all {
			points.Put(&all[i])
		}
	},
	"large-buffer-bytes-read": func() {
		b := buffer.Get()
		b.Write(make([]byte, 10000))
		d := b.Bytes()
		b.Release()
		fmt.Println(d[0])
	},
	"deferred-put-of-the-first-array": func() {
		s := lines.Get(10)[:10]
		defer lines.Put(s)
		s = append(s, make([]byte, 1000)...)
		lines.Put(s[:0])
		lines.Put(s)
	},
}

func main() {
	cases[os.Args[1]]()
	fmt.Println("done")
}
