// SPDX-License-Identifier: BSD-3-Clause

//go:build gc && go1.26 && !go1.27 && (amd64 || arm64) && !spare_portable

package magazine

import _ "unsafe" // for go:linkname

// Portable reports which engine was built.
const Portable = false

// procPin and procUnpin are the runtime's. It keeps them linkable because
// widely used packages do the same (the "hall of shame" comments at their
// declarations; golang/go#67401). A new Go version is added to the build
// constraint of this file and of perp.go after .ci/run passed with it; until then
// that toolchain builds portable.go.
//
// Tested with: go1.26.8, linux/amd64. arm64 is cross-compiled only.

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()
