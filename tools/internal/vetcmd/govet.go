// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A goVet runs go vet with a tool over packages.
type goVet struct {
	tool     string   // executable for -vettool
	build    []string // build flags
	packages []string // patterns of packages
}

// run returns everything that go vet found. The failures are what the go
// command printed when it could not build or analyse something, else "": the
// tree then holds the rest of the packages. step is called after each package.
func (g goVet) run(ctx context.Context, step func()) (tree Tree, failures string, err error) {
	args := slices.Concat([]string{"vet", "-vettool=" + g.tool, "-json"}, g.build, []string{"--"}, g.packages)
	cmd := goCommand(ctx, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("cannot run the go command: %w", err)
	}
	tree, err = decodeTrees(stdout, step)
	if err != nil {
		io.Copy(io.Discard, stdout) // let the go command end by itself
	}
	exit := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil:
		return nil, "", fmt.Errorf("go vet's output is not JSON: %w\n%s", err, stderr.Bytes())
	case exit == nil:
		return tree, "", nil
	case !errors.As(exit, new(*exec.ExitError)):
		return nil, "", exit
	}
	text := sortBlocks(stderr.String())
	if text == "" {
		text = exit.Error()
	}
	return tree, text, nil
}

// decodeTrees reads the trees that go vet -json writes one after the other.
func decodeTrees(r io.Reader, step func()) (Tree, error) {
	all := make(Tree)
	for d := json.NewDecoder(r); ; {
		var t Tree
		if err := d.Decode(&t); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all.Merge(t)
		step()
	}
}

// sortBlocks orders the go command's messages, which come in the order in
// which packages failed: first what stands alone, then the blocks that begin
// with "# package". What a command says while it works ("go: downloading ...")
// is dropped.
func sortBlocks(text string) string {
	var head, block []string
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "go: downloading "), strings.HasPrefix(line, "go: finding "):
		case strings.HasPrefix(line, "# "):
			block = append(block, line)
		case len(block) > 0:
			block[len(block)-1] += line
		default:
			head = append(head, line)
		}
	}
	slices.Sort(block)
	return strings.TrimRight(strings.Join(head, "")+strings.Join(block, ""), "\n")
}

// failedPackages returns the packages that the messages name in "# package".
func failedPackages(failures string) []string {
	var names []string
	for line := range strings.Lines(failures) {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return slices.Compact(names)
}

// goCommand prepares a go command that is interrupted, and then killed, when
// ctx ends.
func goCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// goOutput runs a go command that is expected to succeed.
func goOutput(ctx context.Context, args ...string) ([]byte, error) {
	cmd := goCommand(ctx, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}
