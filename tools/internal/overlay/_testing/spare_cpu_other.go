// SPDX-License-Identifier: BSD-3-Clause

package testing

// This system has no clock of the CPU time of a process that the standard
// library reads: cpu-ns/op is left out.
const spareHasCPU = false

func spareCPU() int64 { return 0 }
