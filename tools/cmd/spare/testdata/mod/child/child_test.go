// SPDX-License-Identifier: BSD-3-Clause

package child

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// BenchmarkChild leaves a process behind and waits until it is ended.
func BenchmarkChild(b *testing.B) {
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		b.Skip(err)
	}
	b.TempDir()
	pids := strconv.Itoa(os.Getpid()) + " " + strconv.Itoa(cmd.Process.Pid)
	if err := os.WriteFile(os.Getenv("SPARE_TEST_PIDS")+".tmp", []byte(pids), 0o666); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(os.Getenv("SPARE_TEST_PIDS")+".tmp", os.Getenv("SPARE_TEST_PIDS")); err != nil {
		b.Fatal(err)
	}
	cmd.Wait()
}
