// SPDX-License-Identifier: BSD-3-Clause

package gotest

import (
	"context"
	"strings"
)

// MainModules returns the paths of the main modules of the directory: one, or
// those of a workspace. Outside of a module there are none.
func (t *Toolchain) MainModules(ctx context.Context) ([]string, error) {
	out, err := t.run(ctx, "list", "-m", "-f", "{{.Path}}")
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, nil // the go command says so with an error
	}
	paths := strings.Fields(string(out))
	if len(paths) == 1 && paths[0] == "command-line-arguments" {
		return nil, nil
	}
	return paths, nil
}
