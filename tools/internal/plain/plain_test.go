// SPDX-License-Identifier: BSD-3-Clause

package plain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/plain"
)

var texts = []struct{ text, line, lines string }{
	{"", "", ""},
	{"plain", "plain", "plain"},
	{`a\b "c"`, `a\b "c"`, `a\b "c"`},
	{"größe 写入 Ωmega", "größe 写入 Ωmega", "größe 写入 Ωmega"},
	{"\x1b[31mred\x1b]0;title\a", `\x1b[31mred\x1b]0;title\a`, `\x1b[31mred\x1b]0;title\a`},
	{"one\n\ttwo\r\n", `one\n\ttwo\r\n`, "one\n\ttwo" + `\r` + "\n"},
	{"\x00\b\x7f", `\x00\b\u007f`, `\x00\b\u007f`},
	{"\u009b31m\u0085", `\u009b31m\u0085`, `\u009b31m\u0085`},
	{"\u202eevil\u2066\u200f\u2028", `\u202eevil\u2066\u200f\u2028`, `\u202eevil\u2066\u200f\u2028`},
	{"\xff\xe2\x82", `\xff\xe2\x82`, `\xff\xe2\x82`},
	{"a\xe2", `a\xe2`, `a\xe2`},
}

// A password is none of what is printed.
func TestTextOfURLs(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"get http://user:secret@host:80/x?y=1: refused", "get http://user:xxxxx@host:80/x?y=1: refused"},
		{"https://:p@ss%2Fw:rd@host and http://a:b@[::1]/", "https://:xxxxx@host and http://a:xxxxx@[::1]/"},
		{"ssh://git@github.com, http://host:80/@v/list, me@host", "ssh://git@github.com, http://host:80/@v/list, me@host"},
	} {
		if got := plain.Text(tt.text); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestMessage(t *testing.T) {
	text := "it failed: one\r\n\ttwo\x1b\nhttp://a:b@c"
	if got, want := plain.Message(errors.New(text)), `it failed: one\r\n\ttwo\x1b\nhttp://a:xxxxx@c`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err := fmt.Errorf("it failed: %w", plain.Lines(errors.New(strings.TrimPrefix(text, "it failed: "))))
	if got, want := plain.Message(err), "it failed: one\n\t\ttwo\\x1b\n\thttp://a:xxxxx@c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestText(t *testing.T) {
	for _, tt := range texts {
		if got := plain.Text(tt.text); got != tt.line {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.line)
		}
	}
}

// A Writer gives the same in whatever pieces it is written to.
func TestWriter(t *testing.T) {
	for _, tt := range texts {
		for _, size := range []int{1, 2, 3, 100} {
			var out bytes.Buffer
			w := plain.NewWriter(&out)
			if plain.NewWriter(w) != w || plain.Raw(w) != &out {
				t.Fatal("a Writer on a Writer is another one")
			}
			for rest := tt.text; rest != ""; {
				piece := rest[:min(size, len(rest))]
				if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Fatalf("wrote %d of %d: %v", n, len(piece), err)
				}
				rest = rest[len(piece):]
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if out.String() != tt.lines {
				t.Errorf("%q in pieces of %d: got %q, want %q", tt.text, size, &out, tt.lines)
			}
		}
	}
}

// JSON through a Writer holds what it held.
func TestWriterOfJSON(t *testing.T) {
	for _, tt := range texts {
		var direct, through bytes.Buffer
		w := plain.NewWriter(&through)
		for _, enc := range []*json.Encoder{json.NewEncoder(&direct), json.NewEncoder(w)} {
			if err := enc.Encode(tt.text); err != nil {
				t.Fatal(err)
			}
		}
		var want, got string
		if err := json.Unmarshal(direct.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(through.Bytes(), &got); err != nil || got != want {
			t.Errorf("%q: got %q, want %q; %v", tt.text, got, want, err)
		}
		if text := strings.TrimSuffix(through.String(), "\n"); plain.Text(text) != text {
			t.Errorf("%q: what was written is not harmless: %q", tt.text, text)
		}
	}
}

func TestError(t *testing.T) {
	err := plain.Error(&fs.PathError{Op: "open", Path: "a\nb", Err: fs.ErrNotExist})
	if err.Error() != `open a\nb: file does not exist` || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if plain.Error(nil) != nil || plain.Error(fs.ErrExist) != fs.ErrExist {
		t.Error("what is harmless changed")
	}
}

func TestPatchName(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"a/x.go", "a/x.go"},
		{"a/größe.go", "a/größe.go"},
		{"a/\x1b\n\".go", `"a/\033\012\".go"`},
		{"a/\u202e.go", `"a/\342\200\256.go"`},
	} {
		if got := plain.PatchName(tt.name); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
