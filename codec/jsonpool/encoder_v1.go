// SPDX-License-Identifier: BSD-3-Clause

//go:build !goexperiment.jsonv2

package jsonpool

// stackEncoders says that a json.Encoder is a small value without memory of its own, and
// stays on the stack of who uses it for one document: no pool is as cheap. One that
// indents has a buffer, and is reused.
const stackEncoders = true
