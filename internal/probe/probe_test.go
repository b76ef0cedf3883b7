// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

func TestProbe(t *testing.T) {
	var values spare.Pool[Value]
	if n := Values(&values); n != 1 {
		t.Errorf("Values = %d, want 1", n)
	}
	var bytes spare.Slices[byte]
	if n := Bytes(&bytes, "hello"); n != 5 {
		t.Errorf("Bytes = %d, want 5", n)
	}
	var list spare.Slices[string]
	if n := Strings(&list, make([]string, 100)); n != 100 {
		t.Errorf("Strings = %d, want 100", n)
	}
}

// build compiles this package as a user's would be.
func build(t *testing.T, args ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	if race.Enabled || magazine.Portable {
		t.Skip("looks at the usual build")
	}
	out, err := exec.Command("go", append([]string{"build"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return string(out)
}

// TestCalls lists the calls in the machine code of Get and Put. Those of the
// runtime's pin are the only ones that the usual path makes: the others are
// known, and each stands where something unusual happens.
func TestCalls(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "probe.a")
	build(t, "-o", archive, ".")
	out, err := exec.Command("go", "tool", "objdump", "-s", `spare\.\(\*(Pool|Slices)\[.*\]\)\.(Get|Put)$`, archive).CombinedOutput()
	if err != nil {
		t.Fatalf("go tool objdump: %v\n%s", err, out)
	}

	// One pin, and an unpin on each way out.
	usual := []string{"runtime.procPin", "runtime.procUnpin"}
	unusual := map[string][]string{
		"Pool.Get": {
			"getSlow",                   // nothing at hand, or first use
			"magazine.(*Shard).PopFull", // the slots are empty
			"runtime.gcWriteBarrier",    // the collector is marking
			"runtime.morestack_noctxt",  // the stack has to grow
			"runtime.gopanic",           // nil
			"runtime.panic",             // nil
		},
		"Pool.Put": {
			"prepare", "keep", // callbacks, or no room
			"magazine.(*Shard).PushFull", // the slots are full
			"runtime.gcWriteBarrier", "runtime.morestack_noctxt", "runtime.gopanic", "runtime.panic",
		},
		"Slices.Get": {
			"init", "getLarge", "getSlow", "getUsual", "(*classes).learn",
			"magazine.(*Shard).PopFull",
			"runtime.gcWriteBarrier", "runtime.morestack_noctxt", "runtime.gopanic", "runtime.panic",
		},
		"Slices.Put": {
			"init", "(*usual).observe",
			"(*classes).putSlow",  // no room at hand
			"(*classes).refuse",   // too small or too large to be kept
			"math/rand/v2.Uint32", // the usual size, after putSlow
			"runtime.memclr",      // elements with pointers
			"magazine.(*Shard).PushFull",
			"runtime.gcWriteBarrier", "runtime.morestack_noctxt", "runtime.gopanic", "runtime.panic",
		},
	}

	text := regexp.MustCompile(`^TEXT .*\.\(\*(Pool|Slices)\[.*\]\)\.(Get|Put)\(SB\)`)
	call := regexp.MustCompile(`R_CALL[A-Z0-9]*:([^\t]*)`)
	pins := make(map[string]int)
	function, method := "", ""
	for line := range strings.Lines(string(out)) {
		if m := text.FindStringSubmatch(line); m != nil {
			function, method = line, m[1]+"."+m[2]
			if strings.Contains(line, "[go.shape.") {
				pins[function] = 0
			} else {
				function = "" // calls the one for its shape
			}
			continue
		}
		m := call.FindStringSubmatch(line)
		if m == nil || function == "" || m[1] == "" || strings.Contains(line, "R_CALLIND") {
			continue // through a function value: Reset
		}
		callee := strings.TrimSuffix(strings.TrimSpace(m[1]), "<1>")
		if callee == "runtime.procPin" {
			pins[function]++
		}
		if slices.Contains(usual, callee) {
			continue
		}
		if !slices.ContainsFunc(unusual[method], func(name string) bool {
			if strings.HasPrefix(name, "runtime.") {
				return strings.HasPrefix(callee, name)
			}
			return strings.HasSuffix(callee, "."+name) || strings.HasSuffix(callee, "/"+name) || callee == name
		}) {
			t.Errorf("%s calls %s: is it not inlined any more? See inline.go.", method, callee)
		}
	}
	if len(pins) < 6 {
		t.Errorf("%d methods found, want Get and Put of three instantiations:\n%s", len(pins), out)
	}
	for f, n := range pins {
		if n != 1 {
			t.Errorf("%d calls of procPin, want one, in %s", n, f)
		}
	}
}

// TestEscapes reads what the compiler says about the uses in probe.go.
func TestEscapes(t *testing.T) {
	out := build(t, "-gcflags=-m", ".")
	for line := range strings.Lines(out) {
		if strings.Contains(line, "probe.go") && strings.Contains(line, "moved to heap") {
			t.Errorf("%s", strings.TrimSpace(line))
		}
	}
	for _, want := range []string{
		"pool.go:[0-9:]* inlining call to magazine.Pin",
		"pool.go:[0-9:]* inlining call to magazine.\\(\\*Shard\\).Pop",
		"pool.go:[0-9:]* inlining call to magazine.\\(\\*Shard\\).Push",
		"slices.go:[0-9:]* inlining call to magazine.\\(\\*Shard\\).Pop",
		"slices.go:[0-9:]* inlining call to magazine.\\(\\*Shard\\).Push",
		"slices.go:[0-9:]* inlining call to sizeclass.Ceil",
		"slices.go:[0-9:]* inlining call to sizeclass.Floor",
		"probe.go:[0-9:]* leaking param: p", // it does read probe.go
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the compiler (%s) does not say %q", runtime.Version(), want)
		}
	}
}
