// SPDX-License-Identifier: BSD-3-Clause

// Package spare reuses memory.
package spare
