// SPDX-License-Identifier: BSD-3-Clause

// Package magazine is the engine under spare's pools: it keeps idle values,
// untyped, and hands them out again.
//
// # Structure
//
// Every P (the scheduler's processor; there are GOMAXPROCS of them) owns a
// shard: a stack of up to 32 values. Get pops from it and Put pushes to it while
// the goroutine is pinned to its P, so that the usual path takes no lock and
// has no atomic read-modify-write.
//
// A shard that runs over moves its older 16 values to a magazine, and one that
// runs dry takes 16 from one. It keeps four full magazines for itself; beyond, they
// come from and go to the depot, which all shards of the pool share, behind a
// lock that is taken for five magazines at once, 80 values, while there is
// plenty. So a value that is put on one P and wanted on another travels with
// many others, and a load that takes and returns up to 96 values in turn never
// leaves its P. This is the layered scheme of Bonwick and Adams, "Magazines and
// Vmem: Extending the Slab Allocator to Many CPUs and Arbitrary Resources"
// (USENIX 2001); exchanging half of the stack in place of their second, previous
// magazine gives the same guarantee, that at least 16 operations lie between
// two exchanges. That the P is found by pinning, and that its own stack is last
// in, first out, is as in Go's sync.Pool.
//
// # The collector is the grace period
//
// Somebody must take values away from a P that does not use them any more,
// without an atomic operation in the path of the P that does. Once for each
// garbage collection, a finalizer that is armed again each time starts the
// tick (tick.go), which visits the pools in use:
//
//   - An open shard was used since the last tick. The tick closes it: it
//     changes the gate, the word that bounds how far the owner may push and
//     pop, so that the owner's next operation takes the slow path. There
//     the owner opens its shard again, with one compare-and-swap, and goes on
//     with everything that it held.
//   - A shard that is still closed at the next tick was not used for a whole
//     cycle. The tick takes it, with a compare-and-swap that the owner can
//     win or lose, moves its values to the depot, and closes it again.
//
// Invariant: only the owner, pinned, touches a shard's fields other than gate
// while the gate is open, and only who took a shard touches them while it is
// taken. The difficult moment is an owner that read an open gate, was overtaken
// by a tick that closed the shard, and goes on to push or pop. A pinned
// goroutine cannot be stopped, and a collection stops the world, at the latest
// to end its mark phase, before the finalizer that it finds can run. Ticks do
// not overlap, and the finalizer is armed at the end of one; so the world has
// been stopped between any two ticks, and whoever was pinned at the first has
// long unpinned at the second. What it wrote is visible: stopping and starting
// the world synchronizes every P with the goroutine that does so, which is what
// the runtime's own per-P caches rely on.
//
// Pool.Drain must not wait for a collection. It takes all shards at once and
// stops the world itself, by reading the memory statistics.
//
// # What is read and written without synchronization
//
//   - shard.n, slots, counters: by the owner while pinned. Two goroutines on
//     one P follow each other through the scheduler, which orders them. By who
//     took the shard: ordered as argued above.
//   - shard.n and the counters by Stats, from anywhere: the loads are atomic,
//     the owner's stores are plain and aligned, which on the architectures that
//     this engine is built for are single accesses. The numbers are exact when
//     nobody is using the pool and may lag otherwise.
//   - Pool.shards after Pool.size: see Pool.shard.
//
// The functions that make such accesses carry go:norace, and the callers turn
// the detector's view of locks off (race.Disable): it sees neither pinning nor
// the stopped world, and the engine's locks order nothing for its users. It is told the truth about the values
// instead (package internal/race, and the users of this package).
//
// # Trimming
//
// A shard's floor marks the lower half of its values each cycle: if the owner never
// came to pop below it, that half moves to the depot after the next tick, since
// nobody on this P needed it; so do full magazines that were not touched. The depot keeps count of the fewest values that it held over a
// window of six ticks: that many were not needed by anybody, and are let go,
// except for one for each P while the pool is in use at all, because goroutines
// move between Ps. A pool that is not used any more is empty after fourteen
// collections at most: two until its shards are in the depot, and two windows. The
// working-set rule is Bonwick and Adams' too.
//
// When the process nears its memory limit (runtime/debug.SetMemoryLimit), all
// that is idle goes at the next tick, or at the next use for what a P holds.
//
// # The portable engine
//
// The pin is reached by linkname (pin.go). Toolchains and architectures that it was
// not tested with, and the build tag spare_portable, get portable.go instead: the
// same depot and tick, with shards that are locked and that a sync.Pool
// finds for a goroutine. It keeps every promise but the speed.
package magazine
