// SPDX-License-Identifier: BSD-3-Clause

// Package workloads holds twelve jobs of real services, each written three
// times:
//
//   - naive: what one writes without reuse.
//   - syncpool: what the usual articles teach with [sync.Pool], with their bugs
//     mended: nothing pooled is returned, the header of a slice that grew is
//     written back, decoded values are cleared, and what grew too large is
//     not kept.
//   - spare: the same technique with the types of package spare.
//
// The three stand side by side in one file named after the job. syncpool and
// spare reuse the same things in the same way wherever both can, so that the
// difference between them is the pool and nothing else. Where the result of a
// job lies in reused memory, the job lends it to a callback instead of returning
// it; the naive version pays for the same call.
//
// The tests prove that the three give the same output, twice in a row and from
// eight goroutines at once. The benchmarks are named
// Benchmark<Job>/impl=naive|syncpool|spare[/key=value], as benchstat reads them.
package workloads

// maxPooled is the largest buffer in bytes that the sync.Pool versions keep. A
// sync.Pool knows nothing of sizes: without a bound, one huge message
// would leave huge buffers behind every later small one.
const maxPooled = 1 << 20
