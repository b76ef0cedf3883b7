// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"testing"

	"github.com/spare-go/spare/tools/internal/profsource"
)

func TestRedact(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{"http://host:6060/debug/pprof/allocs?seconds=30&debug=0", "http://host:6060/debug/pprof/allocs?seconds=30&debug=0"},
		{"http://user:secret@host:6060/x", "http://user:xxxxx@host:6060/x"},
		{"http://user:@host", "http://user:xxxxx@host"},
		{"https://secret@host/x", "https://xxxxx@host/x"},
		{"HTTPS://user:se%2Fcr%40et@host", "https://user:xxxxx@host"},
		{"http://host/?token=secret&a=1&api_key=secret&X-Amz-Signature=secret&sig=secret&to%6ben=secret", "http://host/?token=xxxxx&a=1&api_key=xxxxx&X-Amz-Signature=xxxxx&sig=xxxxx&to%6ben=xxxxx"},
		{"http://host/?assign=1&monkey=2&design=3", "http://host/?assign=1&monkey=2&design=3"},
		{"http://user:se/cret@host", "http://xxxxx@host"},
		{"http://user:se cret@host/%zz", "http://xxxxx@host/%zz"},
		{"user:secret@host:6060", "xxxxx@host:6060"},
		{"http:/user:secret@host", "xxxxx@host"},
		{"profiles/heap@2026.pb.gz", "profiles/heap@2026.pb.gz"},
		{"heap\x1b[31m\n.pb.gz", `heap\x1b[31m\n.pb.gz`},
	} {
		if got := profsource.Redact(tt.raw); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.raw, got, tt.want)
		}
	}
}
