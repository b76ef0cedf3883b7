// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package proc

import (
	"context"
	"os/exec"
)

// Without process groups, the context kills the process itself only.
func isolate(ctx context.Context, cmd *exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {}
