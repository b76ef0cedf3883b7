// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package httppool_test

const raceEnabled = true
