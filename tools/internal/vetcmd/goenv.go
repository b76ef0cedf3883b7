// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// A goEnv is what the go command says about itself in the current directory,
// where GOTOOLCHAIN and go.mod's toolchain line choose it.
type goEnv struct {
	GOFLAGS, GOMODCACHE, GOROOT string

	GOMOD, GOWORK string // files; the null device and "" or "off" if there is none
	GOVERSION     string // of the toolchain that builds the packages
}

func readEnv(ctx context.Context) (env goEnv, err error) {
	out, err := goOutput(ctx, "env", "-json", "GOFLAGS", "GOMOD", "GOMODCACHE", "GOROOT", "GOVERSION", "GOWORK")
	if err != nil {
		return env, err
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return env, fmt.Errorf("go env -json: %w", err)
	}
	return env, nil
}

// moduleless reports whether the current directory is in no module or workspace.
func (env goEnv) moduleless() bool {
	return env.GOMOD == os.DevNull && (env.GOWORK == "" || env.GOWORK == "off")
}

// trimpath reports whether the packages are built with -trimpath.
func (env goEnv) trimpath(build []string) bool {
	for _, f := range append(strings.Fields(env.GOFLAGS), build...) {
		if f == "-trimpath" || f == "-trimpath=true" {
			return true
		}
	}
	return false
}
