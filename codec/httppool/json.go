// SPDX-License-Identifier: BSD-3-Clause

package httppool

import (
	"net/http"
	"strconv"

	"github.com/spare-go/spare/codec/jsonpool"
)

// WriteJSON answers with the JSON of v and a newline. If v cannot be encoded,
// nothing is written, not even the status, and the caller may still answer
// otherwise. An error of the connection comes with the status sent.
//
// It sets Content-Type, unless that is set, and Content-Length for more than
// net/http would count by itself.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	return WriteJSONWith(nil, w, status, v)
}

// WriteJSONWith is like WriteJSON with a configuration, or the default one if c is
// nil.
func WriteJSONWith(c *jsonpool.Config, w http.ResponseWriter, status int, v any) error {
	buf := bytes.Get(0)
	var err error
	if c == nil {
		buf, err = jsonpool.Append(buf, v)
	} else {
		buf, err = c.Append(buf, v)
	}
	if err == nil {
		buf = append(buf, '\n')
		h := w.Header()
		if h["Content-Type"] == nil {
			h.Set("Content-Type", "application/json")
		}
		if len(buf) > 2<<10 && h["Content-Encoding"] == nil {
			h.Set("Content-Length", strconv.Itoa(len(buf)))
		}
		w.WriteHeader(status)
		_, err = w.Write(buf)
	}
	bytes.Put(buf)
	return err
}
