// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spare-go/spare/tools/internal/gotest"
)

// Every round has new copies, one for each binary and those replicas that ask
// for it; the copies of the round before are there until it is over.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(t.TempDir(), "0.test.exe")
	if err := os.WriteFile(binary, []byte("the binary"), 0o777); err != nil {
		t.Fatal(err)
	}
	c := &Case{Package: gotest.Package{ImportPath: "p"}, Side: &Side{Binaries: map[string]string{"p": binary}}}
	all := &copies{dir: dir}
	seen := make(map[string]bool)
	var before []string
	for range 3 {
		all.next()
		var now []string
		for _, replica := range []bool{false, true, false} {
			path, err := all.of(c, replica)
			if err != nil {
				t.Fatal(err)
			}
			if data, err := os.ReadFile(path); err != nil || string(data) != "the binary" {
				t.Errorf("the copy has %q, %v", data, err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o100 == 0 {
				t.Errorf("the copy cannot be executed: %v, %v", info.Mode(), err)
			}
			now = append(now, path)
		}
		if now[0] == now[1] || now[0] != now[2] || seen[now[0]] || seen[now[1]] {
			t.Errorf("copies %q: want one for the benchmark and one for the replica, other than those before", now)
		}
		seen[now[0]], seen[now[1]] = true, true
		for _, path := range before {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("a copy of the round before is gone: %v", err)
			}
		}
		before = now
	}
	all.remove()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	all.next()
	c.Side.Binaries["p"] = filepath.Join(dir, "missing")
	if path, err := all.of(c, false); err == nil {
		t.Errorf("a copy %s of nothing", path)
	}
	all.remove()
}
