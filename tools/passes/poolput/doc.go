// SPDX-License-Identifier: BSD-3-Clause

// Package poolput reports the Put of a wrong thing.
package poolput
