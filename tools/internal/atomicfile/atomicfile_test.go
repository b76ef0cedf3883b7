// SPDX-License-Identifier: BSD-3-Clause

package atomicfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/spare-go/spare/tools/internal/atomicfile"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != want {
		t.Errorf("%d files, want %d: %v", len(entries), want, entries)
	}
}

func TestCommitReplacesAndAbortKeeps(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	write(t, path, "old")

	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "half")
	f.Abort()
	if got := read(t, path); got != "old" {
		t.Errorf("after Abort the file has %q", got)
	}
	count(t, dir, 1)

	if f, err = atomicfile.Create(path); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "new")
	if got := read(t, path); got != "old" {
		t.Errorf("before Commit the file has %q", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort() // does nothing now
	if got := read(t, path); got != "new" {
		t.Errorf("after Commit the file has %q", got)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v now", info.Mode())
	}
	count(t, dir, 1)
}

func TestLinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	write(t, target, "old")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	f, err := atomicfile.Create(link)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "new")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is a file now")
	}
	if got := read(t, target); got != "new" {
		t.Errorf("the target has %q", got)
	}
}

func TestDeviceIsWrittenDirectly(t *testing.T) {
	info, err := os.Stat(os.DevNull)
	if err != nil || info.Mode().IsRegular() {
		t.Skip("no device to write to")
	}
	f, err := atomicfile.Create(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "text")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != info.Mode() {
		t.Errorf("%s is %v now, was %v", os.DevNull, after.Mode(), info.Mode())
	}
}
