// SPDX-License-Identifier: BSD-3-Clause

// Package buffer compares buffer.Buffer with bytes.Buffer and with the pooled
// buffer that is used most, valyala/bytebufferpool, side by side:
//
//	go test -run '^$' -bench . -count 10 ./bench/buffer
//	go run ./tools/cmd/spare bench -by impl -bench Writes ./bench/buffer
//
// Each benchmark is named Benchmark<Shape>/impl=bytes|bbp|spare/n=<bytes>, or
// with other keys in place of n, so that benchstat compares with -col /impl. The calls are written out for each
// side, without an interface or a function value between, so that the compiler
// sees them as it sees a user's. The target of each ratio is beside its shape.
package buffer
