// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal to spare alone must end what it started, and what that started, and
// leave no file.
func TestSignalEndsEverything(t *testing.T) {
	needsProcesses(t)
	enter(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			tmp, outDir := t.TempDir(), t.TempDir()
			pidFile := filepath.Join(t.TempDir(), "pids")
			var stdout, stderr bytes.Buffer
			cmd := exec.Command(os.Args[0], "report", "-o", filepath.Join(outDir, "page.html"), "./child")
			cmd.Env = append(os.Environ(), runMain+"=1", "TMPDIR="+tmp, "SPARE_TEST_PIDS="+pidFile)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pids := waitForFile(t, pidFile, cmd)
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 130 {
				t.Errorf("spare ended with %v, want exit code 130; it said:\n%s", err, stderr.String())
			}
			contains(t, "standard error", stderr.String(), "interrupted")
			if stdout.Len() != 0 {
				t.Errorf("standard output:\n%s", stdout.String())
			}
			empty(t, tmp)
			empty(t, outDir)
			for _, pid := range pids {
				gone(t, pid)
			}
		})
	}
}

// waitForFile returns the numbers in a file that a child of cmd writes.
func waitForFile(t *testing.T, path string, cmd *exec.Cmd) []int {
	t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for time.Now().Before(deadline) {
		if data, err := os.ReadFile(path); err == nil {
			var pids []int
			for f := range strings.FieldsSeq(string(data)) {
				n, err := strconv.Atoi(f)
				if err != nil {
					t.Fatal(err)
				}
				pids = append(pids, n)
			}
			return pids
		}
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	t.Fatal("the benchmark never started")
	return nil
}

// gone checks that a process ends. Nobody may have reaped it yet: what init
// has to collect counts as gone.
func gone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
			return
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
			_, rest, _ := strings.Cut(string(stat), ") ")
			if strings.HasPrefix(rest, "Z") {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
	syscall.Kill(pid, syscall.SIGKILL)
}

// An interrupt removes the checkout too.
func TestInterruptRemovesTheCheckout(t *testing.T) {
	needsProcesses(t)
	sidesRepository(t)
	pids := filepath.Join(t.TempDir(), "pids")
	addFiles(t, ".", map[string]string{"w/w_test.go": "package w\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nfunc BenchmarkWaits(b *testing.B) {\n" +
		"\tos.WriteFile(os.Getenv(\"SPARE_TEST_PIDS\")+\".tmp\", []byte(fmt.Sprint(os.Getpid())), 0o666)\n\tos.Rename(os.Getenv(\"SPARE_TEST_PIDS\")+\".tmp\", os.Getenv(\"SPARE_TEST_PIDS\"))\n\ttime.Sleep(time.Minute)\n}\n"})
	git(t, "add", ".")
	git(t, "commit", "-q", "-m", "second")
	tmp := t.TempDir()
	var stderr bytes.Buffer
	cmd := exec.Command(os.Args[0], "bench", "-base", "HEAD", "./w")
	cmd.Env = append(os.Environ(), runMain+"=1", "TMPDIR="+tmp, "SPARE_TEST_PIDS="+pids)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range waitForFile(t, pids, cmd) {
		defer gone(t, pid)
	}
	if list := git(t, "worktree", "list"); !strings.Contains(list, "\n") {
		t.Errorf("there is no checkout while the benchmark runs:\n%s", list)
	}
	cmd.Process.Signal(os.Interrupt)
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("spare ended with %v, want exit code 130; it said:\n%s", err, stderr.String())
	}
	contains(t, "standard error", stderr.String(), "this is an A/A run", "interrupted")
	empty(t, tmp)
	if list := git(t, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("git still lists a worktree:\n%s", list)
	}
}
