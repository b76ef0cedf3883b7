// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
)

// TestBlockedClocks blocks the finalizers and the cleanups of a program, each for ever,
// in a process of its own. The pools find out about collections all the same.
func TestBlockedClocks(t *testing.T) {
	if checked.Enabled {
		t.Skip("the checks look at every byte of the many large values")
	}
	const env = "SPARE_BLOCKED"
	what := os.Getenv(env)
	if what == "" {
		for _, what := range []string{"nothing", "finalizers", "cleanups", "finalizers and cleanups"} {
			t.Run(what, func(t *testing.T) {
				cmd := exec.Command(os.Args[0], "-test.run=^TestBlockedClocks$", "-test.timeout=2m")
				cmd.Env = append(os.Environ(), env+"="+what)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
		return
	}

	type thing struct{ _ [1 << 20]byte }
	type resource struct{ _ [4]*resource }
	stuck := make(chan bool, 16)
	never := make(chan bool)
	block := func() { stuck <- true; <-never }
	n := 0
	if strings.Contains(what, "finalizers") {
		runtime.SetFinalizer(new(resource), func(*resource) { block() })
		n++
	}
	if strings.Contains(what, "cleanups") {
		// As many as the runtime has goroutines for.
		for range 8 {
			runtime.AddCleanup(new(resource), func(int) { block() }, 0)
		}
		n++
	}
	for range n {
		runtime.GC()
		<-stuck
	}

	var p, busy spare.Pool[thing]
	var all []*thing
	for range 40 {
		all = append(all, p.Get())
	}
	for _, x := range all {
		p.Put(x)
	}
	all = nil
	if s := p.Stats(); s.Idle < 30 {
		t.Fatalf("%+v before the collections", s)
	}
	deadline := time.Now().Add(time.Minute)
	for p.Stats().Idle > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("%+v, though nobody uses the pool", p.Stats())
		}
		runtime.GC()
		// Where both are stuck, it takes a pool in use to see the collections.
		for range 2000 {
			busy.Put(busy.Get())
		}
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(&p)
}
