// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package proc

import (
	"context"
	"errors"
	"os/exec"
	"syscall"
)

func isolate(ctx context.Context, cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		// The go command removes its work directory when it is interrupted.
		sig := syscall.SIGINT
		if errors.Is(context.Cause(ctx), ErrTimeout) {
			sig = syscall.SIGQUIT
		}
		return syscall.Kill(-cmd.Process.Pid, sig)
	}
}

// killGroup ends what is left of the group. No other group can have its number
// while a member lives, and without a member the call does nothing.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
