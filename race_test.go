// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spare-go/spare/internal/magazine"
)

// racy is a program that uses memory in the ways that TestRaceReports names.
const racy = `package main

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/spare-go/spare"
)

type value struct{ n, m int }

// A shared value may be known to others than its users, who lock it.
type shared struct {
	mu   sync.Mutex
	n, m int
}

// A sink has an interface, as most values do.
type sink struct {
	w io.Writer
	n int
}

var (
	pool   spare.Pool[value]
	slices spare.Slices[byte]
	wg     sync.WaitGroup

	buffers = spare.Pool[bytes.Buffer]{New: func() *bytes.Buffer { return bytes.NewBufferString("text") }}
	resets  = spare.Pool[shared]{Reset: func(x *shared) { x.n, x.m = 0, 0 }}
	kept    spare.Pool[shared]
	sinks   spare.Pool[sink]
)

func main() {
	switch os.Args[1] {
	case "pool-write":
		x := pool.Get()
		wg.Go(func() { x.m = 1 })
		pool.Put(x)
	case "pool-read":
		x := pool.Get()
		x.m = 1
		wg.Go(func() { println(x.m) })
		pool.Put(x)
	case "slices-write":
		s := append(slices.Get(100), 1)
		wg.Go(func() { s[0] = 2 })
		slices.Put(s)
	case "made-by-New":
		x := buffers.Get()
		wg.Go(func() { println(x.Len()) })
		buffers.Put(x)
	case "interface":
		x := sinks.Get()
		x.w = os.Stdout
		wg.Go(func() { x.w.Write([]byte("late")) })
		sinks.Put(x)
	case "shared, Reset":
		x := resets.Get()
		wg.Go(func() { println(x.m) })
		resets.Put(x)
	case "shared, next owner":
		x := kept.Get()
		kept.Put(x)
		for range 64 {
			wg.Go(func() {
				y := kept.Get()
				y.n++
				runtime.Gosched()
				x.n++ // stale
				kept.Put(y)
			})
		}
	case "next-owner":
		x := pool.Get()
		pool.Put(x)
		for range 64 {
			wg.Go(func() {
				y := pool.Get()
				y.n++
				runtime.Gosched()
				x.n++ // stale
				pool.Put(y)
			})
		}
	case "handed-over":
		for range 64 {
			wg.Go(func() {
				for range 100 {
					x := pool.Get()
					x.n++
					pool.Put(x)
					s := append(slices.Get(100), 1)
					s = slices.Grow(s, 1000)
					s[0]++
					slices.Put(s)
				}
				runtime.GC()
			})
		}
		wg.Wait()
		pool.Drain()
	}
	wg.Wait()
}
`

// TestRaceReports builds a program with the race detector and reads what that
// says: a use of memory on another goroutine after Put is a race, and correct use
// is none.
func TestRaceReports(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program with the race detector")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", racy)
	write("go.mod", "module racy\n\ngo 1.26.0\n\nrequire github.com/spare-go/spare v0.0.0\n\nreplace github.com/spare-go/spare => "+root+"\n")
	bin := filepath.Join(dir, "racy")
	args := []string{"build", "-race", "-o", bin}
	if magazine.Portable {
		args = append(args, "-tags=spare_portable")
	}
	build := exec.Command("go", append(args, ".")...)
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := build.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("-race requires cgo")) || bytes.Contains(out, []byte("-race is not supported")) || bytes.Contains(out, []byte("C compiler")) {
			t.Skipf("this machine cannot build for the race detector: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		name string
		put  string // in the stack of the report; "" if there must be none
	}{
		{"pool-write", "spare.(*Pool"},
		{"pool-read", "spare.(*Pool"},
		{"slices-write", "spare.(*Slices"},
		{"made-by-New", "spare.(*Pool"},
		{"interface", "spare.(*Pool"},
		{"shared, Reset", "main.init.func2"}, // what Reset writes
		{"shared, next owner", "main.main"},
		{"next-owner", "main.main"},
		{"handed-over", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(bin, c.name)
			cmd.Env = append(os.Environ(), "GORACE=exitcode=66 halt_on_error=1")
			out, err := cmd.CombinedOutput()
			report := string(out)
			if c.put == "" {
				if err != nil || strings.Contains(report, "DATA RACE") {
					t.Fatalf("correct use is reported: %v\n%s", err, report)
				}
				return
			}
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 66 || !strings.Contains(report, "DATA RACE") {
				t.Fatalf("not reported: %v\n%s", err, report)
			}
			if !strings.Contains(report, c.put) {
				t.Errorf("the report does not name %s:\n%s", c.put, report)
			}
		})
	}
}
