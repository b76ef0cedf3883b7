// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"bytes"
	"fmt"
	"os/exec"
	"sync"
)

var outputs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The command goes when the function ends, with all that it points to.
func version(name string) (string, error) {
	b := outputs.Get().(*bytes.Buffer)
	b.Reset()
	defer outputs.Put(b)
	cmd := exec.Command(name, "--version")
	cmd.Stdout = b
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return b.String(), nil
}

type shell struct {
	path string
	last *exec.Cmd
}

func (s *shell) command(line string) *exec.Cmd { return exec.Command(s.path, "-c", line) }

func runInto(cmd *exec.Cmd, b *bytes.Buffer) error {
	cmd.Stdout, cmd.Stderr = b, b
	return cmd.Run()
}

// The same, made and used by others.
func (s *shell) Output(line string) (string, error) {
	b := outputs.Get().(*bytes.Buffer)
	b.Reset()
	defer outputs.Put(b)
	if err := runInto(s.command(line), b); err != nil {
		return "", err
	}
	return b.String(), nil
}

// This one is kept.
func (s *shell) Remember(line string) (string, error) {
	b := outputs.Get().(*bytes.Buffer)
	b.Reset()
	defer outputs.Put(b)
	cmd := exec.Command(s.path, "-c", line)
	s.last = cmd
	cmd.Stdout = b // want `field Stdout keeps memory of b after the value was put`
	if err := cmd.Run(); err != nil {
		return "", err
	}
	return b.String(), nil
}

// And this one is returned.
func prepared(name string) *exec.Cmd {
	b := outputs.Get().(*bytes.Buffer)
	b.Reset()
	defer outputs.Put(b)
	cmd := exec.Command(name)
	cmd.Stdout = b // want `field Stdout keeps memory of b after the value was put`
	return cmd
}

// The command is the caller's, who makes one for each call.
func (s *shell) all(lines []string) error {
	for _, l := range lines {
		if _, err := combined(s.command(l)); err != nil {
			return err
		}
	}
	return nil
}

type monitor interface {
	Start(*exec.Cmd) error
	Wait(*exec.Cmd) error
}

var watch monitor

func combined(cmd *exec.Cmd) (string, error) {
	b := outputs.Get().(*bytes.Buffer)
	b.Reset()
	defer outputs.Put(b)
	cmd.Stdout, cmd.Stderr = b, b
	if err := watch.Start(cmd); err != nil {
		return "", err
	}
	err := watch.Wait(cmd)
	return b.String(), err
}

func (s *shell) feed(line string) error {
	b := outputs.Get().(*bytes.Buffer)
	b.Reset()
	defer outputs.Put(b)
	b.WriteString(line)
	cmd := s.command("cat")
	cmd.Stdin = b
	if err := watch.Start(cmd); err != nil {
		return err
	}
	return watch.Wait(cmd)
}
