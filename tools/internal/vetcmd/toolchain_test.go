// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestToolchain has analyzers learn which toolchain builds the packages, not
// which one built the tool: that of the go command, and where go.mod names
// another one, that. go vet itself does not tell the tool.
func TestToolchain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the other toolchain is a shell script")
	}
	const source = `
-- p/p.go --
package p

func toolchain() {}
`
	const named = "go1.26.99"
	const at = "p/p.go:3:6: built by "
	module(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26.0\n"+source)
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimSpace(string(out))
	if exit, stdout, stderr := vet(t, "./p"); exit != 1 || stdout != "" || stderr != at+version+" [stack-alias]\n" {
		t.Errorf("exit %d, %s\n%s\nwant %s%s", exit, stdout, stderr, at, version)
	}
	if exit, _, stderr := goVet(t, "./p"); exit != 1 || stderr != at+"the default [stack-alias]\n" {
		t.Errorf("go vet: exit %d\n%s", exit, stderr)
	}
	if exit, _, stderr := goVet(t, "-stackalias.toolchain="+named, "./p"); exit != 1 || stderr != at+named+" [stack-alias]\n" {
		t.Errorf("go vet with the flag: exit %d\n%s", exit, stderr)
	}

	// The go command finds the toolchain that go.mod names in PATH. This one is
	// the real one under another name.
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := `#!/bin/sh
unset GOTOOLCHAIN_INTERNAL_SWITCH_VERSION
export GOTOOLCHAIN=local
if [ "$1" = env ]; then
	'` + goCommand + `' "$@" | sed 's/` + version + `/` + named + `/'
else
	exec '` + goCommand + `' "$@"
fi
`
	if err := os.WriteFile(filepath.Join(bin, named), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("GOTOOLCHAIN", "path")
	module(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26.0\n\ntoolchain "+named+"\n"+source)
	if exit, _, stderr := vet(t, "./p"); exit != 1 || stderr != at+named+" [stack-alias]\n" {
		t.Errorf("go.mod names a toolchain: exit %d\n%s\nwant %s%s", exit, stderr, at, named)
	}
}
