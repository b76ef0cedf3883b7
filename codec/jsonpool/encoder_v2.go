// SPDX-License-Identifier: BSD-3-Clause

//go:build goexperiment.jsonv2

package jsonpool

// stackEncoders: here a json.Encoder has buffers and state of its own, so that making one
// costs more than the document of a small record. It is reused.
const stackEncoders = false
