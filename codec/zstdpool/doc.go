// SPDX-License-Identifier: BSD-3-Clause

// Package zstdpool lends zstd encoders and decoders of
// github.com/klauspost/compress/zstd that were used before. Making one costs
// hundreds of kilobytes.
//
// [Get], [GetLevel] and [GetReader] stand where that package has NewWriter and
// NewReader, and Close gives the codec back. [AppendCompress] and
// [AppendDecompress] work on bytes in memory, [Compress] and [Decompress] on
// streams, each in one call. What they return never lies in pooled memory.
//
// # Ownership
//
// As in package gzippool: a Writer or Reader is a small handle of its own for each Get.
// Close and Put take the codec from it; whatever is done with the handle
// afterwards returns [ErrClosed] and cannot reach the codec's next user. An idle
// codec keeps nothing of its user's. Close, Put and PutReader never wait: while another call of
// the handle is under way, the codec goes back when that ends. A codec that failed is not
// reused, nor is one whose user's writer or reader panicked.
//
// # Goroutines and channels
//
// All codecs have a concurrency of 1: none of them starts a goroutine, so that one that
// is forgotten is no leak. Inside, they hold channels, which are
// bound to the testing/synctest bubble that they were made in. A test in a
// bubble should use a [Pool] of its own instead of the functions of this package,
// whose pool all bubbles share.
//
// # Limits
//
// A few bytes of zstd may hold gigabytes. Everything that decompresses therefore takes
// a limit in bytes and returns an error that wraps [ErrTooLarge] before it
// produces more; [NoLimit] says that there is none. A negative limit is taken as 0.
// The window that a stream demands is bounded by [Pool.MaxWindow].
//
// A limit bounds the memory, too. A frame declares a window, and its decoder makes
// a history of that size before it has decoded a byte: 64 MiB for 20 bytes. Within a limit no more
// history can be of use than the limit and one block of 128 KiB, and no more is made, whatever
// frames the stream has. Only with a limit as large as the window, or without one, does a
// stream get the window that it asks for, unless it says that its contents are short.
//
// # What idle codecs hold
//
// A decoder keeps the largest history that it ever made: 0.5 MiB for small limits, 8.4 MiB for
// a window of 8 MiB. One of more than 1 MiB goes when eight streams in a row needed less than a
// quarter of it. An encoder keeps its tables, 0.3 to 35 MiB depending on the level, and a history of twice
// its window once it wrote more than one block. If most of what it holds is history, it goes after 32
// users in a row who did not need one. With a dictionary, each codec has its own copy.
// All of it counts for MaxIdle and Stats, as what lives or somewhat more.
package zstdpool
