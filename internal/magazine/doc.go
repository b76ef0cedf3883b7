// SPDX-License-Identifier: BSD-3-Clause

// Package magazine is the engine under spare's pools: it keeps idle values,
// untyped, and hands them out again.
//
// # Structure
//
// Every P (the scheduler's processor; there are GOMAXPROCS of them) owns a
// shard, which has a magazine in use: a stack of up to 14 values, 128 bytes. Get pops
// from it and Put pushes to it while the goroutine is pinned to its P, so that the
// usual path takes no lock and has no atomic read-modify-write.
//
// A shard keeps up to five more magazines, full or empty. When the one in use runs
// over it goes to the full ones and an empty one takes its place; when it runs dry,
// the other way round. Values are never copied from one magazine to another on the
// way, and a load that takes and returns up to 84 values in turn never leaves its P.
//
// A shard in which everything is full gives five full magazines away at once, a
// bundle of 70 values, and takes five empty ones; one in which nothing is left takes a
// bundle. Bundles lie in the pool's hatches (hatch.go), where one atomic exchange
// passes them on, so that a producer and a consumer on two Ps share little more than
// the values themselves. What finds no room there, or is less than a bundle, goes to
// the depot, which all shards of the pool share, behind a lock.
//
// This is the layered scheme of Bonwick and Adams, "Magazines and Vmem: Extending the
// Slab Allocator to Many CPUs and Arbitrary Resources" (USENIX 2001). Theirs gives each
// CPU two magazines, so that at least one magazine's worth of operations lies between
// two visits to the depot; here the five beside the one in use give that for 70, and
// the exchange on the P itself is a matter of a few pointers. That the P is found by
// pinning, and that its own stack is last in, first out, is as in Go's sync.Pool.
//
// # The collector is the grace period
//
// Somebody must take values away from a P that does not use them any more,
// without an atomic operation in the path of the P that does. Once for each
// garbage collection, a finalizer or a cleanup of an object made for this collection starts
// the tick (clock.go), which visits the pools in use:
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
// not overlap, and the object that tells of the next collection is made at the end of
// one; so the world has been stopped between any two ticks, and whoever was pinned at the first has
// long unpinned at the second. What it wrote is visible: stopping and starting
// the world synchronizes every P with the goroutine that does so, which is what
// the runtime's own per-P caches rely on.
//
// Pool.Drain must not wait for a collection. It takes all shards at once and
// stops the world itself, by reading the memory statistics.
//
// # What is read and written without synchronization
//
//   - shard.n, its magazines, counters: by the owner while pinned. Two goroutines on
//     one P follow each other through the scheduler, which orders them. By who
//     took the shard: ordered as argued above.
//   - shard.n and the counters by Stats, from anywhere: the loads are atomic,
//     the owner's stores are plain and aligned, which on the architectures that
//     this engine is built for are single accesses. The numbers are exact when
//     nobody is using the pool and may lag otherwise.
//   - Pool.shards after Pool.size: see Pool.Has.
//   - The magazines of a bundle: by who put it into the hatch before, and by who took it out
//     after an atomic exchange of the pointer to it, which orders the two.
//
// The functions that make such accesses carry go:norace, and the callers turn
// the detector's view of locks off (race.Disable): it sees neither pinning nor
// the stopped world, and the engine's locks order nothing for its users. It is told the truth about the values
// instead (package internal/race, and the users of this package).
//
// # The bound
//
// What is idle is live heap, and the collector's pace follows the live heap. A rule such as
// "leaves after six collections" therefore bounds nothing: the more lies idle, the longer
// six collections take. So the depot does not keep more than a multiple of what was in use
// at once lately, and checks that whenever it takes something back. The fast paths know
// nothing of it.
//
// What is in use at once, its demand (demand.go), shows where values pass the depot: what
// left it or was made, less what came back, is in use or in a shard. The depot holds at most
// twice the largest demand of the last two windows of six ticks, and a slack. Too much that
// comes back leaves the pool at once. So an array that comes from elsewhere does not
// stay if nobody asks for such arrays; a burst stays whole, since it was in use. What a P
// makes it reports now and then.
//
// The rest is bounded by a shard's size: it holds 64 KiB at most (Config.Size), in one
// magazine or in more. A value that is larger has no place in a shard, and passes through
// the depot; so does all of a pool whose Budget, divided by the Ps, leaves none for each.
// Otherwise values would be out of reach on a P that does not need them, and others would
// make new ones beside them. The hatches hold eight bundles.
//
// In sum, with S the size of a shard times the number of Ps, and H that of the hatches: the
// demand is at most what is in use and S + H, and the idle values at most twice the demand,
// the depot's slack of S, and S + H. That is twice what was in use, and 4 S + 3 H.
//
// A Sized pool learns what values hold when they come back. Its demand counts values, times
// their mean size.
//
// The classes of a Slices are pools of a Group (group.go), which bounds them together. A
// user may ask for an array of one class and put one of another. A user who asks for a
// class that has none is served from a larger one that has a surplus (Pool.Surplus): more
// than its own users had at once lately or, if none of them missed lately, any.
// A class whose arrays nobody needed in their size for two windows, because they were
// surplus that went to and fro between users who need little, lets them go.
//
// # Trimming
//
// With time, more leaves than the bound asks for. A shard's floor marks the lower half of
// the values in use each cycle: if the owner never came to pop below it, that half moves to
// the depot after the next tick, since nobody on this P needed it; so do full magazines
// that were not touched, and what lies in the hatches. The depot keeps count of the fewest
// values that it held over a window of six ticks: that many were not needed by anybody, and
// are let go, except for one for each P while the pool is in use at all, because goroutines
// move between Ps. A pool that is not used any more is empty after fourteen collections at
// most: two until its shards are in the depot, and two windows. The working-set rule is
// Bonwick and Adams' too.
//
// When the process nears its memory limit (runtime/debug.SetMemoryLimit), all
// that is idle goes at the next tick, or at the next use for what a P holds.
//
// The clock of the ticks, and who keeps a pool alive, is in clock.go.
//
// # The portable engine
//
// The pin is reached by linkname (pin.go). Toolchains and architectures that it was
// not tested with, and the build tag spare_portable, get portable.go instead: the
// same depot and tick, with shards that are locked and that a sync.Pool
// finds for a goroutine. It keeps every promise but the speed.
package magazine
