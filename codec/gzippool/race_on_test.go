// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package gzippool_test

const raceEnabled = true
