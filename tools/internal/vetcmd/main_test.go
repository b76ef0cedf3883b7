// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/spare-go/spare/tools/internal/vetcmd"
	"github.com/spare-go/spare/tools/passes/suite"
)

// The test binary plays every part: it is spare vet itself (through Run), the
// vet tool that the go command calls, the GOCACHEPROG, and a -toolexec that
// counts analyses. The analyzers are stand-ins, so that these tests are about
// the driver alone, unless useSuite says otherwise.
func TestMain(m *testing.M) {
	switch args := os.Args[1:]; {
	case len(args) == 2 && args[0] == "-as-cacheprog":
		if err := cacheProg(os.Stdin, os.Stdout, args[1]); err != nil {
			panic(err)
		}
	case len(args) > 2 && args[0] == "-as-toolexec":
		os.Exit(toolexec(args[1], args[2:]))
	case vetcmd.IsTool(args) && os.Getenv(useSuite) != "":
		vetcmd.Tool(suite.Suite)
	case vetcmd.IsTool(args):
		vetcmd.Tool([]*analysis.Analyzer{standin, toolchainStandin})
	default:
		os.Exit(testMain(m))
	}
}

// useSuite is the environment variable that makes the vet tool run spare's own
// analyzers in place of the stand-in.
const useSuite = "VETCMD_TEST_SUITE"

// packageDir is where this package lies, from which tests go elsewhere.
var packageDir string

func testMain(m *testing.M) int {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	packageDir = dir
	cache, err := os.MkdirTemp("", "spare-vet-cache")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(cache)
	for name, value := range map[string]string{
		"GOCACHE": cache, "GOCACHEPROG": "", "GOENV": "off", "GOFLAGS": "-mod=mod",
		"GOPROXY": "off", "GOWORK": "off", "GOTOOLCHAIN": "local",
		// Under the race detector each of the many processes would sleep for
		// a second before it ends.
		"GORACE": "atexit_sleep_ms=0",
	} {
		os.Setenv(name, value)
	}
	return m.Run()
}

// toolexec runs a tool for the go command, and logs the ID of each analysis.
func toolexec(log string, args []string) int {
	if strings.HasSuffix(args[len(args)-1], ".cfg") && !strings.HasPrefix(filepath.Base(args[0]), "compile") {
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			panic(err)
		}
		f.WriteString(args[len(args)-1] + "\n")
		f.Close()
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return 1
	}
	return 0
}

// countAnalyses makes the go command log every call of the vet tool on a
// package. The result returns their number since the last call of it.
func countAnalyses(t *testing.T) func() int {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("GOFLAGS", "-mod=mod '-toolexec="+self(t)+" -as-toolexec "+log+"'")
	return func() int {
		data, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		os.Remove(log)
		return bytes.Count(data, []byte("\n"))
	}
}

func self(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// module writes the files of a txtar archive to a new directory, and goes
// there.
func module(t *testing.T, archive string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeModule(t, dir, archive)
	t.Chdir(dir)
	return dir
}

func writeModule(t *testing.T, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// vet runs spare vet here.
func vet(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	exit = vetcmd.Run(t.Context(), &out, &errs, args)
	return exit, out.String(), errs.String()
}

// goVet runs go vet itself, with the test binary as its tool.
func goVet(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self(t)}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
