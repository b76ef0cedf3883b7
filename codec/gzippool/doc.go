// SPDX-License-Identifier: BSD-3-Clause

// Package gzippool lends gzip compressors and decompressors that were used
// before. Making one costs far more than most messages cost to compress: a
// compressor fills some hundred kilobytes of tables.
//
// [Get], [GetLevel] and [GetReader] stand where compress/gzip has NewWriter,
// NewWriterLevel and NewReader, and Close gives the codec back:
//
//	z := gzippool.Get(w)
//	defer gzippool.Put(z) // does nothing after Close
//	z.Write(data)
//	err := z.Close()
//
// [AppendCompress] and [AppendDecompress] work on bytes in memory,
// [Compress] and [Decompress] on streams, each in one call. What
// they return never lies in pooled memory.
//
// # Ownership
//
// A Writer or Reader is a small handle of its own for each Get; only the codec
// behind it is reused, and it keeps nothing of its user's: no writer, no reader, no
// bytes. Close and Put take the codec from the handle. Whatever is done with the handle
// afterwards, twice or from another goroutine, returns [ErrClosed] and cannot
// reach the codec's next user. A handle that is neither closed nor put is no leak.
//
// Close, Put and PutReader never wait. While another call of the handle is under way, which
// may read from a network for ever, they end the turn and leave the codec to that
// call: it goes back when the call ends. So they may come from another goroutine, and from the
// reader or writer behind the handle itself, as from a connection that closes at its
// end all that lies over it. Reset, there, leaves the codec behind and takes another one.
// A second Read, Write or Flush during a call is refused with an error.
//
// A codec that failed is not reused, nor is one whose user's writer or reader
// panicked.
//
// # Limits
//
// A kilobyte of gzip may hold a megabyte. Everything that decompresses
// therefore takes a limit in bytes and returns an error that wraps
// [ErrTooLarge] before it produces more; [NoLimit] says that there is none. A
// negative limit is taken as 0.
//
// # Two backends
//
// A [Pool] compresses with github.com/klauspost/compress unless it is told to use
// the standard library. Both read what the other writes and return the errors of
// packages compress/gzip and compress/flate: gzip.ErrHeader, gzip.ErrChecksum,
// flate.CorruptInputError, io.ErrUnexpectedEOF. The compressed bytes differ: at the
// default level, klauspost/compress takes a fifth to a half of the time and makes
// some documents a sixth larger (JSON of 64 KiB in bench/workloads: 8728 bytes
// against 7537). The smaller the message, the less is there to gain: for 200 bytes, most of the time
// of either goes to Huffman tables. Below 128 bytes, klauspost/compress looks for no repetition up to
// level 6, and may store what compress/gzip would make somewhat smaller: for many such messages use level 7, or
// do not compress them.
//
// Where klauspost/compress differs otherwise, this package does as compress/gzip
// does: a zero ModTime is written as "not set", and a stream that ends within a
// header is io.ErrUnexpectedEOF. It is stricter in one point:
// reserved header flags are gzip.ErrHeader.
package gzippool
