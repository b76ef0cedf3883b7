// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/proc"
)

// A goVet runs go vet with a tool over packages.
type goVet struct {
	tool     string   // executable for -vettool
	env      goEnv    // of the go command
	build    []string // build flags
	packages []string // patterns of packages
	own      bool     // all of them are the main modules' own
}

// toolchainFlag tells the analyzer of stack-alias which toolchain builds what it sees. The
// tool itself knows only the one that has built it.
const toolchainFlag = "stackalias.toolchain"

// run returns everything that go vet found. The failures are what the go
// command printed when it could not build or analyse something, else "": the
// tree then holds the rest of the packages. step is called after each package.
func (g goVet) run(ctx context.Context, step func()) (tree Tree, failures string, err error) {
	flags := []string{"vet", "-vettool=" + g.tool, "-json", "-" + depsFlag, "-" + toolchainFlag + "=" + g.env.GOVERSION}
	if g.own {
		flags = append(flags, "-"+ownFlag)
	}
	args := slices.Concat(flags, g.build, []string{"--"}, g.packages)
	cmd := proc.Command(ctx, "", nil, "go", args...)
	r, w := io.Pipe()
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	decoded := make(chan error)
	go func() {
		var err error
		tree, err = decodeTrees(r, step)
		io.Copy(io.Discard, r) // after an error, let the go command end by itself
		decoded <- err
	}()
	err = proc.Run(ctx, cmd)
	w.Close()
	if decodeErr := <-decoded; ctx.Err() == nil && decodeErr != nil {
		return nil, "", fmt.Errorf("go vet's output is not JSON: %w\n%w", decodeErr, plain.Lines(errors.New(stderr.String())))
	}
	switch {
	case err == nil:
		return tree, "", nil
	case ctx.Err() != nil || !errors.As(err, new(*exec.ExitError)):
		return nil, "", fmt.Errorf("go vet: %w", err)
	}
	text := sortBlocks(stderr.String())
	if text == "" {
		text = "go vet: " + err.Error()
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
// with "# package" (and may go on with "# [package.test]"). What a command says while it works ("go: downloading ...")
// is dropped.
func sortBlocks(text string) string {
	var head, block []string
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "go: downloading "), strings.HasPrefix(line, "go: finding "):
		case strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "# ["):
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
		if name, ok := strings.CutPrefix(line, "# "); ok && !strings.HasPrefix(name, "[") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return slices.Compact(names)
}

// goOutput runs a go command that is expected to succeed.
func goOutput(ctx context.Context, args ...string) ([]byte, error) {
	cmd := proc.Command(ctx, "", nil, "go", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := proc.Run(ctx, cmd); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%w", strings.Join(args, " "), err, plain.Lines(errors.New(strings.TrimSpace(stderr.String()))))
	}
	return stdout.Bytes(), nil
}
