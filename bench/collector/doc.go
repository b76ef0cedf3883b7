// SPDX-License-Identifier: BSD-3-Clause

// Package collector measures what pools cost around a garbage collection, in
// units of its own:
//
//	go test -run '^$' -bench . -benchtime 100x -count 5 ./bench/collector
//
// prints pause-ns/op, how long the world stops, with up to 100,000 pools in use,
// and first-ns/op, the first use of a pool after a collection. It takes some
// minutes and wants an otherwise idle machine.
package collector
