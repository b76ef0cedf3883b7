// SPDX-License-Identifier: BSD-3-Clause

package testing

import "syscall"

const spareHasCPU = true

var spareUsage syscall.Rusage // not a local variable: nothing may be allocated

// spareCPU returns the CPU time of this process, user and system, in ns.
func spareCPU() int64 {
	if syscall.Getrusage(syscall.RUSAGE_SELF, &spareUsage) != nil {
		return 0
	}
	return spareUsage.Utime.Nano() + spareUsage.Stime.Nano()
}
