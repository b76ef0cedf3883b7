// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/underrace"
)

// Users of spare's own Buffer are told the truth: the facts are those of the real package, not of a stub's.
func TestOwnBuffer(t *testing.T) {
	if testing.Short() || underrace.Enabled() {
		t.Skip("builds and analyses what the root module imports")
	}
	root := filepath.Join(packageDir, "..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.work")); err != nil {
		t.Skip("not in the repository: ", err)
	}
	module(t, `
-- go.mod --
module example.com/m

go 1.26.0

require github.com/spare-go/spare v0.0.0

replace github.com/spare-go/spare => `+strconv.Quote(filepath.ToSlash(root))+`
-- right/right.go --
package right

import "github.com/spare-go/spare/buffer"

func Deferred() []byte {
	b := buffer.Get()
	defer b.Release()
	b.WriteString("x")
	return b.Detach()
}

func First() []byte {
	b := buffer.Get()
	b.WriteByte('x')
	p := b.Detach()
	b.Release()
	return p
}

type T struct{ p []byte }

func (t *T) Stored(p []byte) {
	b := buffer.Get()
	b.Write(p)
	t.p = b.Detach()
	b.Release()
}

func Sent(ch chan<- []byte) {
	b := buffer.Get()
	b.WriteString("x")
	ch <- b.Detach()
	b.Release()
}

func Started(use func([]byte)) {
	b := buffer.Get()
	p := b.Detach()
	b.Release()
	go use(p)
	use(p)
}
-- wrong/wrong.go --
package wrong

import (
	"errors"

	"github.com/spare-go/spare/buffer"
)

func Deferred() []byte {
	b := buffer.Get()
	defer b.Release()
	b.WriteString("x")
	return b.Bytes()
}

func Lost(s string) error {
	b := buffer.Get()
	b.WriteString(s)
	if s == "" {
		return errors.New("empty")
	}
	b.Release()
	return nil
}

func Twice() {
	b := buffer.Get()
	defer b.Release()
	b.WriteString("x")
	b.Release()
}
`)
	t.Setenv(useSuite, "1")
	exit, _, stderr := vet(t, "./right")
	if exit != 0 || stderr != "" {
		t.Errorf("right uses: exit %d\n%s", exit, stderr)
	}
	exit, _, stderr = vet(t, "./wrong")
	for _, want := range []string{"wrong.go:13:2: memory of b is returned", "wrong.go:17:17: b, taken from buffer.Get at line 17, is not put back", "wrong.go:28:2: b is put in buffer.Buffer a second time"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no report %q", want)
		}
	}
	if exit != 1 || strings.Count(stderr, "[") != 3 {
		t.Errorf("wrong uses: exit %d, want three reports\n%s", exit, stderr)
	}
}
