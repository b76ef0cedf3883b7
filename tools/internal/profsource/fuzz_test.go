// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/profsource"
)

// Whatever is in a file, reading it gives one error in one line that names the
// file, or a profile in normal form that is read back the same.
func FuzzFile(f *testing.F) {
	f.Add(sample.gz())
	f.Add(sample.raw())
	f.Add(uncompressed(column(sample.profile(), 1)))
	f.Add(written(otherKind("cpu", "samples", "cpu")))
	f.Add([]byte(textProfile))
	f.Add([]byte("--- heapz 1 ---\n"))
	f.Add([]byte("heap profile: 1: 1024 [1: 1024] @ heapprofile\n1: 1024 [1: 1024] @ 0x1\n"))
	f.Add(gzipped(gzipped([]byte{0x1f, 0x8b})))
	path := filepath.Join(f.TempDir(), "some.prof")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := profsource.File(t.Context(), path)
		if err != nil {
			if p != nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("profile %v, error %q", p, err)
			}
			return
		}
		checkNormal(t, p)
		if err := os.WriteFile(path, written(p.P), 0o666); err != nil {
			t.Fatal(err)
		}
		again, err := profsource.File(t.Context(), path)
		if err != nil {
			t.Fatalf("read back: %v", err)
		}
		if got, want := stacks(again.P), stacks(p.P); !maps.Equal(got, want) || again.Span != p.Span {
			t.Errorf("read back: %v in %v\nwant %v in %v", got, again.Span, want, p.Span)
		}
	})
}
