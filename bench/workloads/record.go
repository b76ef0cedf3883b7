// SPDX-License-Identifier: BSD-3-Clause

package workloads

// record is what the four JSON jobs encode and decode.
type record struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Items []string `json:"items"`
}

// reset makes r ready to be decoded into again. It keeps the array of Items but
// clears all of it: a decoder that fills a reused array leaves what the document
// does not mention as it was, and the next caller would see the last one's data.
// A record without items has empty Items after a reset where a new one has nil.
func (r *record) reset() {
	items := r.Items[:cap(r.Items)]
	clear(items)
	*r = record{Items: items[:0]}
}

// keep reports whether r is small enough to be kept.
func (r *record) keep() bool { return cap(r.Items)*16 <= maxPooled }
