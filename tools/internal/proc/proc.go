// SPDX-License-Identifier: BSD-3-Clause

// Package proc runs child processes that never outlive their parent's interest
// in them: each leads a process group of its own, and the group ends when the
// context does.
package proc

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// ErrTimeout is the cause of a context that ends because a process took too
// long. Where the system can, the process is then asked for the stacks of its
// goroutines.
var ErrTimeout = errors.New("timeout")

// grace is how long a process has between the request to end and the kill.
const grace = 3 * time.Second

// Command returns a command that [Run] can run. ctx bounds its life.
func Command(ctx context.Context, dir string, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = env
	cmd.WaitDelay = grace
	isolate(ctx, cmd)
	return cmd
}

// Run runs cmd to its end. When the command fails or its context ends, what is
// left of its process group is killed. Run returns the context's error if that
// is why the command ended.
func Run(ctx context.Context, cmd *exec.Cmd) error {
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState != nil && cmd.ProcessState.Success() {
		// It succeeded, and a process that it left behind holds its output open.
		killGroup(cmd)
		return nil
	}
	if err != nil {
		killGroup(cmd)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return err
}

// An Output keeps the beginning and the end of what a process writes, within a
// fixed bound. The zero value is ready. It is not safe for concurrent use;
// exec.Cmd writes from one goroutine when Stdout and Stderr are the same value.
type Output struct {
	head, tail []byte
	dropped    bool
}

const outputPart = 32 << 10

// Write keeps what fits and never fails.
func (o *Output) Write(p []byte) (int, error) {
	n := len(p)
	if room := outputPart - len(o.head); room > 0 {
		k := min(room, len(p))
		o.head = append(o.head, p[:k]...)
		p = p[k:]
	}
	o.tail = append(o.tail, p...)
	if len(o.tail) > 2*outputPart {
		o.tail = append(o.tail[:0], o.tail[len(o.tail)-outputPart:]...)
		o.dropped = true
	}
	return n, nil
}

// String returns what was kept, with a mark where something is missing.
func (o *Output) String() string {
	if o.dropped {
		return string(o.head) + "\n[... output left out ...]\n" + string(o.tail)
	}
	return string(o.head) + string(o.tail)
}
