// SPDX-License-Identifier: BSD-3-Clause

// Package workloads holds twelve jobs of real services, each written three
// times: without reuse, with sync.Pool, and with spare.
package workloads
