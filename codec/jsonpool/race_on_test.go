// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package jsonpool_test

const raceEnabled = true
