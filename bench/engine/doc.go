// SPDX-License-Identifier: BSD-3-Clause

// Package engine compares spare's pools with sync.Pool, shape by shape. The
// code shapes are those of the survey of peers, so that figures can be
// compared with other pools' there.
//
//	go run ./tools/cmd/spare bench -by impl -count 10 ./bench/engine
//
// prints each shape's ratio of process CPU time from interleaved runs.
package engine

// Obj is a value of 80 bytes.
type Obj struct {
	A, B, C, D int64
	Name       string
	Buf        []byte
	Next       *Obj
}
