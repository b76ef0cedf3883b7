// SPDX-License-Identifier: BSD-3-Clause

package revision_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/revision"
)

// git runs git in dir, apart from the configuration of whoever runs the tests.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// repository makes one of two commits, and returns its directory.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "a.txt"), "first")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	write(t, filepath.Join(dir, "sub", "b.txt"), "second")
	write(t, filepath.Join(dir, "a.txt"), "second")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "second")
	return dir
}

func TestCheckout(t *testing.T) {
	dir := repository(t)
	write(t, filepath.Join(dir, "a.txt"), "changed")
	write(t, filepath.Join(dir, "untracked.txt"), "")
	// A hook of the user's must not run, and what git tells hooks must not
	// mislead: a rebase's exec has GIT_DIR set, for one.
	hooked := filepath.Join(t.TempDir(), "hooked")
	write(t, filepath.Join(dir, ".git", "hooks", "post-checkout"), "#!/bin/sh\ntouch "+hooked+"\n")
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "nowhere"))
	into := filepath.Join(t.TempDir(), "tree")
	before := tree(t, dir)

	c, err := revision.Checkout(t.Context(), dir, "HEAD~1", into)
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(filepath.Join(c.Dir, "a.txt")); string(data) != "first" {
		t.Errorf("the checkout has %q, want the first commit", data)
	}
	if c.Checked || !c.Dirty || c.Submodules {
		t.Errorf("%+v: want another commit than the working tree's, which is dirty, without submodules", c)
	}
	if got, ok := c.Map(filepath.Join(dir, "sub")); !ok || got != filepath.Join(c.Root, "sub") {
		t.Errorf("Map(sub) = %s, %v", got, ok)
	}
	if got, ok := c.Map(filepath.Dir(dir)); ok {
		t.Errorf("Map of a directory outside gives %s", got)
	}
	write(t, filepath.Join(c.Dir, "made"), "by a test") // as tests do
	for range 2 {
		if err := c.Remove(); err != nil {
			t.Error(err)
		}
	}
	os.Unsetenv("GIT_DIR")
	if _, err := os.Stat(into); !os.IsNotExist(err) {
		t.Errorf("the checkout is still there: %v", err)
	}
	if list := git(t, dir, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("git still lists the worktree:\n%s", list)
	}
	if after := tree(t, dir); after != before {
		t.Errorf("the working tree was\n%s\nand is\n%s", before, after)
	}
	if _, err := os.Stat(hooked); err == nil {
		t.Error("a hook of the user's ran")
	}
}

// tree is the state of a working tree and of its branches.
func tree(t *testing.T, dir string) string {
	t.Helper()
	env, had := os.LookupEnv("GIT_DIR")
	os.Unsetenv("GIT_DIR")
	defer func() {
		if had {
			os.Setenv("GIT_DIR", env)
		}
	}()
	return git(t, dir, "status", "--porcelain") + "\n" + git(t, dir, "show-ref") + "\n" + git(t, dir, "symbolic-ref", "HEAD")
}

func TestCheckoutOfTheSameState(t *testing.T) {
	dir := repository(t)
	c, err := revision.Checkout(t.Context(), filepath.Join(dir, "sub"), "HEAD", filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Remove()
	if !c.Checked || c.Dirty {
		t.Errorf("%+v: want the working tree's own commit, without changes", c)
	}
	if filepath.Base(c.Dir) != "sub" {
		t.Errorf("the directory is %s, want the one that corresponds to sub", c.Dir)
	}
}

func TestCheckoutErrors(t *testing.T) {
	dir := repository(t)
	shallow := filepath.Join(t.TempDir(), "shallow")
	git(t, dir, "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(dir), shallow)
	for _, tt := range []struct{ name, dir, rev, want string }{
		{"no repository", t.TempDir(), "HEAD", "is not in the working tree of a git repository"},
		{"unknown", dir, "nowhere", `"nowhere" names no commit`},
		{"a file", dir, "HEAD:a.txt", `names no commit`},
		{"an option", dir, "--all", `"--all" names no commit`},
		{"nothing", dir, "", `"" names no commit`},
		{"shallow", shallow, "HEAD~1", "git fetch --unshallow"},
		{"no such directory then", filepath.Join(dir, "sub"), "HEAD~1", "has no directory sub"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			into := filepath.Join(t.TempDir(), "tree")
			c, err := revision.Checkout(t.Context(), tt.dir, tt.rev, into)
			if err == nil {
				c.Remove()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q, want %q in it", err, tt.want)
			}
			if _, err := os.Stat(into); !os.IsNotExist(err) {
				t.Errorf("a folder was left behind")
			}
		})
	}
	if list := git(t, dir, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("git lists a worktree:\n%s", list)
	}
}

func TestCheckoutCancelled(t *testing.T) {
	dir := repository(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	into := filepath.Join(t.TempDir(), "tree")
	if c, err := revision.Checkout(ctx, dir, "HEAD", into); err != context.Canceled {
		t.Errorf("Checkout = %v, %v; want the context's error", c, err)
	}
	if _, err := os.Stat(into); !os.IsNotExist(err) {
		t.Error("a folder was left behind")
	}
}
