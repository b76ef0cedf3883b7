// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked && !linux && !darwin

package checked

const canGuard = false

func mapPages(n uintptr) []byte { return nil }
func forbid(b []byte) error     { return nil }
func unmapPages(b []byte)       {}
