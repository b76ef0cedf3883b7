// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package zstdpool_test

const raceEnabled = false
