// SPDX-License-Identifier: BSD-3-Clause

// Package collector measures what pools cost around a garbage collection, in
// units of its own:
//
//	go test -run '^$' -bench FirstUse -benchtime 100000x -count 5 ./bench/collector
//	go test -run '^$' -bench Pause -benchtime 60x -count 5 ./bench/collector
//
// print first-ns/op, the first use of a pool after a collection, and pause-ns/op,
// how long the world stands still, with up to 100,000 pools in use. They want an
// otherwise idle machine: pauses are short, and anything else that runs lengthens
// them.
package collector
