// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked && (linux || darwin)

package checked

import (
	"syscall"
)

const canGuard = true

var pageSize = uintptr(syscall.Getpagesize())

// mapPages returns n bytes of zeros on pages of their own, or nil.
func mapPages(n uintptr) []byte {
	n = (n + pageSize - 1) &^ (pageSize - 1)
	b, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil // too many mappings: this one goes unguarded
	}
	return b
}

// forbid makes pages inaccessible.
func forbid(b []byte) error { return syscall.Mprotect(b, syscall.PROT_NONE) }

func unmapPages(b []byte) { syscall.Munmap(b) }
