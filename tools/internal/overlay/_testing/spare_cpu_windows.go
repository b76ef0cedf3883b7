// SPDX-License-Identifier: BSD-3-Clause

package testing

import "syscall"

const spareHasCPU = true

var spareCreated, spareExited, spareKernel, spareUser syscall.Filetime

// spareCPU returns the CPU time of this process, user and system, in ns.
func spareCPU() int64 {
	h, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	if syscall.GetProcessTimes(h, &spareCreated, &spareExited, &spareKernel, &spareUser) != nil {
		return 0
	}
	// A Filetime that holds a duration counts units of 100 ns.
	ticks := func(t *syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return 100 * (ticks(&spareKernel) + ticks(&spareUser))
}
