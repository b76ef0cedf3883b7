// SPDX-License-Identifier: BSD-3-Clause

// Package loads compares what slices and values take at their peak, under loads that a pool
// may hoard memory under: lengths that nobody knows before, few large ones among many
// small, values that one goroutine takes and another returns.
//
// The figure to look at is peak-B, the most resident memory of the process that runs a
// benchmark, which spare bench prints, with a fixed number of operations, so that all have the
// same lengths:
//
//	go run ./tools/cmd/spare bench -by impl -count 5 -benchtime 20000x ./bench/loads
package loads
