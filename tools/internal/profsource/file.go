// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// File reads a heap or allocs profile from a file. Its span is unknown unless
// the profile tells: a profile that a process wrote counts from its start.
func File(ctx context.Context, path string) (_ *Profile, err error) {
	// It may be the address of a process that lacks its scheme.
	defer maskOf(ctx, path).guard(new(*Profile), &err)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	p, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	if allocated(p) == 0 {
		return nil, fmt.Errorf("%s holds no allocation: the process ended before the first sample, or recorded none (runtime.MemProfileRate = 0)", path)
	}
	return &Profile{P: p, Span: time.Duration(p.DurationNanos), From: path}, nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file; -profile takes the path of a profile or the http:// address of a live process", path)
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory: give a profile in it", path)
	}
	data, err := readBounded(f)
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return data, err
}
