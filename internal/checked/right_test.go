// SPDX-License-Identifier: BSD-3-Clause

package checked_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRightPrograms runs programs that have more to do with their values than to get and to put them,
// in the builds that look for misuse. They are right, so that nothing may be
// reported, nor go wrong: see testdata/right.
func TestRightPrograms(t *testing.T) {
	normalOnly(t)
	for _, build := range []struct {
		name string
		args []string
		env  []string
	}{
		{"normal", nil, []string{"GODEBUG=checkfinalizers=1"}},
		{"checked", []string{"-tags=spare_checked"}, nil},
		{"checked, checkfinalizers", []string{"-tags=spare_checked"}, []string{"GODEBUG=checkfinalizers=1"}},
		{"reuse", []string{"-tags=spare_checked"}, []string{"SPARE_CHECKED=reuse"}},
		{"race", []string{"-race"}, nil},
		{"race and checked", []string{"-race", "-tags=spare_checked"}, nil},
	} {
		t.Run(build.name, func(t *testing.T) {
			exe := filepath.Join(t.TempDir(), "right")
			args := append(append([]string{"build", "-o", exe}, build.args...), filepath.Join("testdata", "right", "main.go"))
			if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
				if bytes.Contains(out, []byte("-race")) || bytes.Contains(out, []byte("C compiler")) {
					t.Skipf("this machine cannot build for the race detector: %s", out)
				}
				t.Fatalf("go build: %v\n%s", err, out)
			}
			list, err := exec.Command(exe).Output()
			if err != nil {
				t.Fatal(err)
			}
			names := strings.Split(strings.TrimSpace(string(list)), "\n")
			if len(names) < 10 {
				t.Fatalf("the program has but the cases %q", names)
			}
			for _, name := range names {
				t.Run(name, func(t *testing.T) {
					cmd := exec.Command(exe, name)
					cmd.Env = append(append(os.Environ(), "SPARE_CHECKED=", "SPARE_GUARD=", "GORACE=atexit_sleep_ms=0"), build.env...)
					if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "right\n") {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
		})
	}
}
