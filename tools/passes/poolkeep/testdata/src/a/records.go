// SPDX-License-Identifier: BSD-3-Clause

package a

import "sync"

// A map that is a record: each user sets the keys that the last one set.

var envelopes = sync.Pool{New: func() any { return make(map[string]any) }}

func envelope(body any, send func(map[string]any)) {
	e := envelopes.Get().(map[string]any)
	e["type"] = "body"
	e["payload"] = body
	send(e)
	e["payload"] = nil
	envelopes.Put(e) // want `keeps e, put at line 17, whatever its size`
}

// Here the next user may find what it did not set.

var notes = sync.Pool{New: func() any { return make(map[string]any) }}

func note(body any, err error, send func(map[string]any)) {
	e := notes.Get().(map[string]any)
	e["payload"] = body
	if err != nil {
		e["error"] = err // want `e, taken from notes at line 25, is written to without a reset`
	}
	send(e)
	notes.Put(e) // want `keeps e, put at line 31, whatever its size`
}
