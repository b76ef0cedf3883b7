// SPDX-License-Identifier: BSD-3-Clause

// Package spare reuses memory.
//
// A program that makes the same kinds of values over and over, and soon needs
// them no more, gives the garbage collector work. This package keeps such values
// aside for the next user: [Pool] keeps values of one type, [Slices] keeps the
// arrays of slices. Both are typed, need no allocation of their own for a Get and a
// Put, hold on to what is in use through garbage collections, and let go of what
// is not.
//
// # How to choose
//
// Nothing. Most values need no pool. A value that does not outlive the function
// that makes it lives on the stack and costs nothing; so does a slice of constant
// size up to 64 KiB, or of variable size up to 32 bytes. Small values without
// costly parts are cheap for the allocator, too. Measure first: spare bench
// shows what a benchmark allocates, warm, cold and after a collection.
//
// A [Pool], for values that are large, costly to make, or own something that is: a
// request with its maps, a compressor, a parser, a buffer with its array.
//
// A [Slices], for slices of varying length: p.Get(n), append, p.Put. A Pool of
// slices or of pointers to slices would keep the largest that it ever saw, and
// a slice in an interface, as sync.Pool wants it, costs an allocation for each Put.
//
// For building bytes or text, package buffer: small contents stay on the stack,
// larger ones grow in pooled arrays. For codecs and HTTP bodies, module codec.
//
// # Who owns what when
//
// Get gives a value to the caller, who alone may use it until it is put. Put
// ends that: afterwards the caller holds nothing of it, no pointer into it, no
// slice of its array, no closure, and nobody else to whom the caller lent it
// does, either. In particular:
//
//   - What is returned from a function, stored, or sent to another goroutine must
//     not be part of a value that is put. Copy it (b.String(), bytes.Clone).
//   - A value is put once. To be sure of that, Put where it was got: defer p.Put(x)
//     right after x := p.Get(), unless x is returned.
//   - With slices, put what append returned, not what Get did: defer p.PutFrom(&s), not
//     defer p.Put(s). PutFrom also sets the variable to nil, so that a use after it shows.
//   - The next user finds what Reset left. Whoever decodes into a value that is not
//     cleared mixes it with the last one's fields.
//   - A value need not be put. If an error leaves it in doubt, forget it: the
//     collector frees it. If the pool has a Drop, that is not called then.
//
// Put of a value happens before the Get that returns it: no more synchronization
// is needed.
//
// # What is kept, and how long
//
// What a pool holds idle is bounded by what was in use at once lately: twice that, and a
// fixed slack for each P, which [Pool] and [Slices] state. This holds at every moment,
// whenever the collector runs and whatever the load is. Within the bound, a
// pool keeps what was in use at the rate of the last garbage collections. What none of them
// needed leaves: a pool that is not used any more is empty after fourteen collections at
// most. All of it leaves at the next collection when the live heap comes near the memory
// limit (GOMEMLIMIT). MaxIdle is a bound in bytes of your own; it is worth setting where a
// burst must not linger for some collections. [Pool.Drain] empties a pool at once. A pool
// that nobody refers to is collected, with what it holds.
//
// So a pool may be asked for its values at any rate. What it holds, what is in use, and the
// most that was, is visible: [Pool.Stats] for one, [All] for all that have a name.
//
// # When not to use it
//
//   - As a cache: values have no names, and they may leave at any time.
//   - To limit how many there are of something: Get always returns.
//   - For values that must be closed in any case: an owner that forgets to put one leaks
//     it.
//   - For memory whose last user is not known: a response body that a transport
//     may still read, a message that was sent on a channel, the result of a
//     function.
//   - Where a benchmark of the whole, not of the pool, shows no difference.
//
// # Builds
//
// On the architectures and Go versions that it was tested with, the package uses
// an engine of its own. Elsewhere, and with the build tag spare_portable, it is
// built on sync.Pool and locks, keeps the same promises, and is slower. With the
// race detector, a use of a value after its Put is reported like any other race, if nobody
// but its users can know the value (see [Pool]).
//
// With the build tag spare_checked, misuse is found and reported with the stacks
// of the Get, the Put and the misuse: a value put twice, into another pool or
// written to after its Put, slices that overlap, a Buffer used after its Release.
// A normal build contains none of it. See package pooltest for tests, and
// docs/reliability.md for what it finds and what it costs.
package spare
