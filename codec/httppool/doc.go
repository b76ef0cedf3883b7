// SPDX-License-Identifier: BSD-3-Clause

// Package httppool reuses the memory of HTTP servers and clients: bodies of
// requests, JSON responses, the codecs of compressed responses, and the buffers of
// a proxy.
//
//	body, err := httppool.ReadBody(w, r, 1<<20)
//	if err != nil {
//		http.Error(w, err.Error(), httppool.Status(err))
//		return
//	}
//	defer body.Release()
//
// It has no middleware of its own. [GzipFactory] and [ZstdFactory] plug into
// github.com/klauspost/compress/gzhttp, [BufferPool] into
// net/http/httputil.ReverseProxy.
//
// The danger of a pooled body is that net/http still reads it: a transport may do so
// after RoundTrip has returned, and may ask for it anew to follow a redirect or to
// try again. [Do] sends a [Body] and gives it back when neither can happen any
// more.
package httppool
