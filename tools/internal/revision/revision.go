// SPDX-License-Identifier: BSD-3-Clause

// Package revision checks out another commit of a git repository for a while,
// without touching the working tree, the index, or any branch: as a linked
// worktree in a folder of its own (git worktree).
package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spare-go/spare/tools/internal/proc"
)

// A Tree is the checkout of a commit. The caller must call [Tree.Remove].
type Tree struct {
	Root   string // of the checkout
	Top    string // of the working tree that it belongs to
	Dir    string // the directory of the checkout that corresponds to the one asked for
	Commit string // the full name of the commit

	// Checked reports whether Commit is the one that the working tree has checked
	// out, and Dirty whether tracked files differ from what is checked out there.
	Checked, Dirty bool

	// Submodules reports whether the commit has submodules; they are empty in
	// the checkout.
	Submodules bool
}

// Checkout checks out rev, anything that git takes for a commit, of the
// repository that dir lies in. The checkout is the folder into, which must not
// exist. If it fails, nothing is left behind.
func Checkout(ctx context.Context, dir, rev, into string) (*Tree, error) {
	here, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return nil, err
	}
	if into, err = filepath.Abs(into); err != nil {
		return nil, err
	}
	t := &Tree{Root: into}
	top, err := git(ctx, here, "rev-parse", "--show-toplevel")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("git is not on PATH")
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("%s is not in the working tree of a git repository: %w", here, err)
	}
	if t.Top, err = filepath.EvalSymlinks(filepath.FromSlash(top)); err != nil {
		return nil, err
	}
	below, err := filepath.Rel(t.Top, here)
	if err != nil {
		return nil, err
	}
	// What begins with a dash would be an option of git's.
	if !strings.HasPrefix(rev, "-") && rev != "" {
		t.Commit, err = git(ctx, here, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if t.Commit == "" || err != nil {
		hint := "see git log --all"
		if shallow, _ := git(ctx, here, "rev-parse", "--is-shallow-repository"); shallow == "true" {
			hint = "the clone is shallow: git fetch --unshallow brings the rest of its history"
		}
		return nil, fmt.Errorf("%q names no commit in %s; %s", rev, t.Top, hint)
	}
	head, err := git(ctx, here, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	t.Checked = err == nil && head == t.Commit
	// Untracked files are part of the working tree's builds too, but there is no
	// telling those that matter from the rest.
	changes, err := git(ctx, here, "status", "--porcelain", "--untracked-files=no")
	t.Dirty = err == nil && changes != ""

	// The user's hooks are about the user's checkouts.
	_, err = git(ctx, here, "-c", "core.hooksPath="+os.DevNull, "-c", "advice.detachedHead=false",
		"worktree", "add", "--quiet", "--detach", t.Root, t.Commit)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, errors.Join(err, t.Remove())
	}
	if t.Root, err = filepath.EvalSymlinks(t.Root); err != nil {
		return nil, errors.Join(err, t.Remove())
	}
	t.Dir = filepath.Join(t.Root, below)
	if info, err := os.Stat(t.Dir); err != nil || !info.IsDir() {
		return nil, errors.Join(fmt.Errorf("commit %s has no directory %s", Short(t.Commit), filepath.ToSlash(below)), t.Remove())
	}
	_, err = os.Stat(filepath.Join(t.Root, ".gitmodules"))
	t.Submodules = err == nil
	return t, nil
}

// Remove removes the checkout, and what git keeps about it. It does so also
// after an interrupt, and may be called twice.
func (t *Tree) Remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	// Twice forced: also if it was changed, or is locked while it is being made.
	_, err := git(ctx, t.Top, "worktree", "remove", "--force", "--force", t.Root)
	if err == nil {
		return nil
	}
	if err := os.RemoveAll(t.Root); err != nil {
		return fmt.Errorf("removing the checkout of %s: %w", Short(t.Commit), err)
	}
	// Without its folder git would forget it some day.
	list, err := git(ctx, t.Top, "worktree", "list", "--porcelain")
	if err == nil && slices.Contains(strings.Split(list, "\n"), "worktree "+filepath.ToSlash(t.Root)) {
		return fmt.Errorf("git still lists the worktree %s; git worktree prune removes it", t.Root)
	}
	return nil
}

// Map returns the path in the checkout that corresponds to one in the working
// tree, and whether there is such a correspondence.
func (t *Tree) Map(path string) (string, bool) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	below, err := filepath.Rel(t.Top, path)
	if err != nil || !filepath.IsLocal(below) {
		return path, false
	}
	return filepath.Join(t.Root, below), true
}

// Short returns the beginning of a commit's name, as people quote it.
func Short(commit string) string { return commit[:min(12, len(commit))] }

// own are the variables with which git tells a hook, or the command of a
// rebase, about the repository it works on. The directory decides here.
var own = []string{"GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=", "GIT_PREFIX=", "GIT_COMMON_DIR="}

// git runs git and returns what it printed, without the space around it.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return slices.ContainsFunc(own, func(prefix string) bool { return strings.HasPrefix(kv, prefix) })
	})
	cmd := proc.Command(ctx, dir, append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"), "git", args...)
	var out bytes.Buffer
	var complaints proc.Output
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := proc.Run(ctx, cmd); err != nil {
		if msg := strings.TrimSpace(complaints.String()); msg != "" && errors.As(err, new(*exec.ExitError)) {
			err = errors.New(msg)
		}
		return "", err
	}
	return strings.TrimSpace(out.String()), nil
}
