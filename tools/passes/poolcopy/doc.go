// SPDX-License-Identifier: BSD-3-Clause

// Package poolcopy reports copies of pools: the copy of a used pool shares the
// original's values without its synchronization, that of an unused one is
// another pool.
package poolcopy
