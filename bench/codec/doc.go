// SPDX-License-Identifier: BSD-3-Clause

// Package codec compares the pooled codecs of module codec with what one writes
// without reuse (impl=naive), with sync.Pool (impl=syncpool), and with other
// backends plugged in.
//
//	go run ./tools/cmd/spare bench -by impl -count 10 ./bench/codec
//
// prints ratios of process CPU time from interleaved runs. The benchmarks named Floor measure the
// libraries without any pool, when they are warm: how far a pool can come.
package codec
