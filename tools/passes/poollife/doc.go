// SPDX-License-Identifier: BSD-3-Clause

// Package poollife reports pooled values that are used when they are no longer
// ours, and those that never go back.
package poollife
