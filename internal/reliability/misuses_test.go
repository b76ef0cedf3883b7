// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMisuses runs small programs that misuse pools, in a checked build, and
// checks that each ends with a report, or a fault, that names its own lines.
func TestMisuses(t *testing.T) {
	normalOnly(t)
	exe := filepath.Join(t.TempDir(), "misuses")
	if out, err := exec.Command("go", "build", "-tags=spare_checked", "-o", exe, "./testdata/misuses").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, tt := range []struct{ name, env, want string }{
		{"loop-defer-captures-variable", "", `double Put: the value at`},
		{"consumed-prefix", "", "not the caller's alone"},
		{"chunks-of-one", "", "not the caller's alone"},
		{"timer-writes", "", `write after Put: memory of Pool[main.point] "points"`},
		{"old-slice-of-grow", "", `write after Put: memory of Slices[uint8] "lines"`},
		{"old-slice-of-grow", "SPARE_GUARD=1", "unexpected fault address"},
		{"copy-of-value", "", `Put of a stranger: no Get returned the value`},
		{"two-goroutines-close", "", "double Put"},
		{"concurrent-double-put", "", "double Put"},
		{"reader-over-put-bytes", "SPARE_GUARD=1", "unexpected fault address"},
		{"bytes-of-released-buffer", "", "write after Put: memory of buffer.Buffer"},
		{"inner-slice-twice", "", `double Put: the value at`},
		{"row-of-matrix", "SPARE_GUARD=1", "unexpected fault address"},
		{"string-of-bytes", "SPARE_GUARD=1", "unexpected fault address"},
		{"large-buffer-bytes-read", "SPARE_GUARD=1", "unexpected fault address"},
		{"error-path", "SPARE_CHECKED=leaks", `"jobs" was never put back`},
		{"interior-pointer-of-array", "", "Put of a stranger"},
		{"deferred-put-of-the-first-array", "", "double Put"},
	} {
		t.Run(tt.name+" "+tt.env, func(t *testing.T) {
			cmd := exec.Command(exe, tt.name)
			cmd.Env = append(os.Environ(), "SPARE_CHECKED=", "SPARE_GUARD=")
			if tt.env != "" {
				cmd.Env = append(cmd.Env, tt.env)
			}
			b, err := cmd.CombinedOutput()
			out := string(b)
			if err == nil || strings.HasSuffix(out, "done\n") {
				t.Fatalf("it is not found: %s", out)
			}
			if !strings.Contains(out, tt.want) || strings.Count(out, "main.go:") < 1 {
				t.Errorf("no %q with a line of the program in\n%s", tt.want, out)
			}
			if strings.Contains(tt.want, "fault address") {
				return // no report: the trace is the line's
			}
			report, _, _ := strings.Cut(out, "\n\ngoroutine ")
			for _, title := range []string{"Get", "Put"} {
				_, stack, ok := strings.Cut(report, "\t"+title+":\n")
				if !ok && (title == "Get" && strings.Contains(tt.want, "stranger") || title == "Put" && strings.Contains(tt.want, "never put")) {
					continue // there was none
				}
				stack, _, _ = strings.Cut(stack, "\n\t\n")
				if !strings.Contains(stack, "main.go:") && !strings.Contains(stack, "(none: ") {
					t.Errorf("the stack of the %s names no line of the program:\n%s", title, report)
				}
			}
			if !strings.Contains(report, "What to do: ") || strings.Contains(report, "not known") {
				t.Errorf("the report leaves something open:\n%s", report)
			}
		})
	}
}
