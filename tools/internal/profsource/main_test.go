// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/spare-go/spare/tools/internal/profsource"
)

// childEnv names the part that this binary plays when a test runs it again: some
// tests need a process of their own, whose every allocation is sampled.
const childEnv = "PROFSOURCE_TEST_CHILD"

var children = map[string]func(args []string) error{
	"service": service,
	"pusher":  pusher,
	"whole":   whole,
	"merge":   mergeFiles,
}

func init() {
	if part := os.Getenv(childEnv); part != "" && part != "merge" {
		runtime.MemProfileRate = 1
		// A collection while the work goes on may make the runtime allocate below it.
		debug.SetGCPercent(-1)
	}
}

func TestMain(m *testing.M) {
	if part := os.Getenv(childEnv); part != "" {
		if err := children[part](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child prepares this binary to run again as one of the children.
func child(t testing.TB, part string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(soon(t), os.Args[0], args...)
	cmd.Env = append(os.Environ(), childEnv+"="+part)
	cmd.Stderr = &logWriter{t: t}
	return cmd
}

// run runs a child to its end and returns what it printed.
func run(t testing.TB, part string, args ...string) string {
	t.Helper()
	out, err := child(t, part, args...).Output()
	if err != nil {
		t.Fatalf("%s %q: %v", part, args, err)
	}
	return strings.TrimSpace(string(out))
}

// start starts a child that serves until the test ends, and returns the address
// that it prints first.
func start(t testing.TB, part string, args ...string) string {
	t.Helper()
	address, _ := startUntil(t, part, args...)
	return address
}

// startUntil is start with a function that ends the child earlier.
func startUntil(t testing.TB, part string, args ...string) (address string, stop func()) {
	t.Helper()
	cmd := child(t, part, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s did not print its address: %v", part, err)
	}
	return strings.TrimSpace(line), stop
}

type logWriter struct{ t testing.TB }

func (w *logWriter) Write(p []byte) (int, error) {
	w.t.Logf("%s", bytes.TrimSpace(p))
	return len(p), nil
}

// soon returns a context for what must not take long.
func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// Work whose allocations are known: n objects of each of these sizes, which are
// their own size classes.
const (
	smallSize = 96
	largeSize = 10240
)

//go:noinline
func allocateSmall(n int) {
	for range n {
		sink = make([]byte, smallSize)
	}
}

//go:noinline
func allocateLarge(n int) {
	for range n {
		sink = make([]byte, largeSize)
	}
}

var sink []byte

// work is the work of all children. The stacks below it are the same in all of
// them.
//
//go:noinline
func work(n int) {
	allocateSmall(n)
	allocateLarge(n / 10)
	sink = nil
	// What is allocated is published when the next collection ends.
	runtime.GC()
	runtime.GC()
}

// A sum is what a function allocated.
type sum struct{ objects, bytes int64 }

// sums adds a profile up by the innermost function of the stacks below work, as
// far as they are in this package.
func sums(p *profile.Profile) map[string]sum {
	all := map[string]sum{}
	for _, s := range p.Sample {
		leaf, below := "", false
		for _, l := range s.Location {
			for _, line := range l.Line {
				if !strings.Contains(line.Function.Name, "profsource_test.") {
					continue
				}
				name := line.Function.Name[strings.LastIndex(line.Function.Name, ".")+1:]
				if leaf == "" {
					leaf = name
				}
				below = below || name == "work"
			}
		}
		// The runtime allocates for itself below any allocation, and in runtime.GC.
		size := s.NumLabel["bytes"]
		if below && len(size) == 1 && (size[0] == smallSize || size[0] == largeSize) {
			v := all[leaf]
			v.objects += s.Value[0]
			v.bytes += s.Value[1]
			all[leaf] = v
		}
	}
	return all
}

// stacks lists the samples of a profile as text, with their values, for
// comparison.
func stacks(p *profile.Profile) map[string]string {
	all := map[string]string{}
	for _, s := range p.Sample {
		all[stack(s)] = fmt.Sprint(s.Value)
	}
	return all
}

func stack(s *profile.Sample) string {
	var b strings.Builder
	fmt.Fprint(&b, s.NumLabel["bytes"])
	for _, l := range s.Location {
		for _, line := range l.Line {
			fmt.Fprintf(&b, " %s (%s:%d)", line.Function.Name, line.Function.Filename, line.Line)
		}
		b.WriteString(";")
	}
	return b.String()
}

// checkNormal holds a result to the form that Profile.P documents.
func checkNormal(t testing.TB, p *profsource.Profile) {
	t.Helper()
	if err := p.P.CheckValid(); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, s := range p.P.SampleType {
		types = append(types, s.Type+"/"+s.Unit)
	}
	want := "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes"
	if got := strings.Join(types, " "); got != want && (len(types) != 2 || !strings.HasPrefix(want, got)) {
		t.Errorf("sample types %q", got)
	}
	if len(p.P.Mapping) > 0 {
		t.Errorf("%d mappings", len(p.P.Mapping))
	}
	seen := map[string]bool{}
	for _, s := range p.P.Sample {
		for i, v := range s.Value {
			if v < 0 {
				t.Errorf("%s: %s is %d", stack(s), types[i], v)
			}
		}
		for _, l := range s.Location {
			if l.Address != 0 || len(l.Line) == 0 {
				t.Errorf("%s: address %#x, %d lines", stack(s), l.Address, len(l.Line))
			}
		}
		if seen[stack(s)] {
			t.Errorf("two samples of %s", stack(s))
		}
		seen[stack(s)] = true
	}
	if p.From == "" {
		t.Error("From is empty")
	}
	if p.Span < 0 {
		t.Errorf("span %v", p.Span)
	}
}
