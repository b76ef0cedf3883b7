// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package proc

import "os/exec"

// Without process groups, the context kills the process itself only.
func isolate(cmd *exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {}
