// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked && (linux || darwin)

package checked_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/pooltest"
)

// TestMain is also the main function of the processes that are to die of a
// fault.
func TestMain(m *testing.M) {
	switch os.Getenv("CHECKED_TEST_CHILD") {
	case "":
		os.Exit(m.Run())
	case "read":
		s := takeBytes(&bytesPool)
		putBytes(&bytesPool, s)
		fmt.Println("read", readStale(s))
	case "explain":
		debug.SetPanicOnFault(true)
		defer func() {
			report, ok := pooltest.Explain(recover())
			fmt.Println(ok, report)
			debug.PrintStack()
		}()
		s := takeBytes(&bytesPool)
		putBytes(&bytesPool, s)
		writeStale(s)
	}
}

var bytesPool = spare.Slices[byte]{Name: "guarded"}

//go:noinline
func takeBytes(p *spare.Slices[byte]) []byte { return append(p.Get(100), "hello"...) }

//go:noinline
func putBytes(p *spare.Slices[byte], s []byte) { p.Put(s) }

//go:noinline
func readStale(s []byte) byte { return s[1] }

//go:noinline
func writeStale(s []byte) { s[2] = 1 }

func child(t *testing.T, what, guard string) (output string, failed bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "CHECKED_TEST_CHILD="+what, "SPARE_GUARD="+guard)
	out, err := cmd.CombinedOutput()
	return string(out), err != nil
}

func TestGuardReadAfterPut(t *testing.T) {
	out, failed := child(t, "read", "1")
	if !failed || !strings.Contains(out, "unexpected fault address") || !strings.Contains(out, "checked_test.readStale") || !strings.Contains(out, "guard_test.go") {
		t.Errorf("a read after Put does not end the process with a trace of its line:\n%s", out)
	}
	if out, failed := child(t, "read", "0"); failed || !strings.Contains(out, "read 204") {
		t.Errorf("without guard pages a read after Put does not read the pattern, 204: %s", out)
	}
	if out, failed := child(t, "read", "many"); !failed || !strings.Contains(out, "SPARE_GUARD=many") {
		t.Errorf("a bad SPARE_GUARD is not reported: %s", out)
	}
}

func TestGuardExplains(t *testing.T) {
	out, _ := child(t, "explain", "1")
	for _, part := range []string{"true spare: use after Put", `byte 2 of memory that was put into Slices[uint8] "guarded"`, "Get:", "takeBytes", "Put:", "putBytes", "What to do:", "checked_test.writeStale"} {
		i := strings.Index(out, part)
		if i < 0 {
			t.Fatalf("no %q, in its order, in\n%s", part, out)
		}
		out = out[i:]
	}
}

// TestGuardSample takes and puts many slices, some of them on guard pages.
func TestGuardSample(t *testing.T) {
	r := watch(t)
	checked.SetGuard(3)
	defer checked.SetGuard(0)
	var p spare.Slices[uint16]
	var q spare.Slices[string] // never guarded: the collector must see its pointers
	for i := range 10_000 {
		s := p.Get(1 + i%5000)
		s = append(s, 1, 2, 3)
		if i%10 == 0 {
			s = p.Grow(s, 100+i%3000)
		}
		if s[0] != 1 || s[2] != 3 {
			t.Fatalf("the slice holds %v", s)
		}
		p.Put(s)
		q.Put(append(q.Get(10), fmt.Sprint(i)))
		if i%1000 == 0 {
			runtime.GC()
		}
	}
	s := p.Stats()
	if s.Puts != s.Gets-s.News+s.Drops+uint64(s.Idle) || s.Gets != s.Puts {
		t.Errorf("the books do not balance: %+v", s)
	}
	if n, b := checked.Guards(); n == 0 || n > checked.MaxGuards {
		t.Errorf("%d slices stay on guard pages, want some, and at most %d", n, checked.MaxGuards)
	} else {
		t.Logf("%d slices and %d bytes on guard pages", n, b)
	}
	r.want(t)
	// All of them, forever: what append leaves behind stays mapped, up to a bound.
	checked.SetGuard(1)
	for range 5000 {
		_ = append(p.Get(1<<16), make([]uint16, 1<<17)...)
	}
	if _, b := checked.Guards(); b > checked.MaxGuardBytes {
		t.Errorf("%d bytes on guard pages", b)
	}
	r.want(t)
}

func TestGuardDoublePut(t *testing.T) {
	r := watch(t)
	checked.ForgetGuards()
	checked.SetGuard(1)
	defer checked.SetGuard(0)
	var p spare.Slices[byte]
	s := takeBytes(&p)
	p.Put(s)
	p.Put(s)
	r.want(t, "double Put", "Get:", "takeBytes")
	s = p.Get(5000)
	p.Put(s[:cap(s)][10:])
	r.want(t, "not the caller's alone")
}

// TestGuardOnly has nothing but the sample: for a process in production.
func TestGuardOnly(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(what, guard string) (string, error) {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "CHECKED_TEST_CHILD="+what, "SPARE_GUARD="+guard, "SPARE_CHECKED=guardonly")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("read", "1"); err == nil || !strings.Contains(out, "checked_test.readStale") {
		t.Errorf("a read after Put of a slice in the sample does not end the process: %s", out)
	}
	if out, err := run("read", "2"); err != nil || !strings.Contains(out, "read 101") {
		t.Errorf("a slice outside the sample is touched: %s", out)
	}
}
