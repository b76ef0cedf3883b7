// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		// The go command removes its work directory when it is interrupted.
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	}
}

// killGroup ends what is left of the group. No other group can have its number
// while a member lives, and without a member the call does nothing.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
