// SPDX-License-Identifier: BSD-3-Clause

// Package underrace tells tests whether the race detector is on, which multiplies time and memory.
package underrace

import (
	"runtime/debug"
	"slices"
)

// Enabled reports whether the running program was built with -race.
func Enabled() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
