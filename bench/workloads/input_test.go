// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

func TestText200(t *testing.T) {
	if len(text200) != 200 {
		t.Errorf("text200 has %d bytes", len(text200))
	}
}

func TestJSONDocument(t *testing.T) {
	for _, size := range []int{256, 64 << 10} {
		doc := jsonDocument(size)
		if len(doc) != size {
			t.Errorf("jsonDocument(%d) has %d bytes", size, len(doc))
		}
		if !json.Valid(doc) {
			t.Errorf("jsonDocument(%d) is not valid JSON", size)
		}
		if pad := len(doc) - len(bytes.TrimRight(doc, " ")); pad > 200 {
			t.Errorf("jsonDocument(%d) ends in %d spaces", size, pad)
		}
		if !bytes.Equal(doc, jsonDocument(size)) {
			t.Errorf("jsonDocument(%d) differs from call to call", size)
		}
	}
}

func TestLognormalSizes(t *testing.T) {
	sizes := lognormalSizes(1001, 128)
	if !slices.Equal(sizes, lognormalSizes(1001, 128)) {
		t.Error("sizes differ from call to call")
	}
	slices.Sort(sizes)
	if sizes[0] < 1 {
		t.Errorf("smallest size is %d", sizes[0])
	}
	// The quartiles of this distribution are at 0.51, 1 and 1.96 times the median.
	for _, q := range []struct{ at, low, high int }{{250, 57, 74}, {500, 115, 141}, {750, 226, 276}} {
		if got := sizes[q.at]; got < q.low || got > q.high {
			t.Errorf("size %d of 1001 is %d, want %d to %d", q.at, got, q.low, q.high)
		}
	}
}
