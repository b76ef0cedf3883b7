// SPDX-License-Identifier: BSD-3-Clause

package texttable_test

import (
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/texttable"
)

func TestWrite(t *testing.T) {
	table := &texttable.Table{Left: map[int]bool{0: true, 2: true}}
	table.Row("name", "time", "note")
	table.Gap()
	table.Row("a heading that is long")
	table.Row("a", "1.5 µs", "x")
	table.Row("bcdef", "10 ns")
	var out strings.Builder
	if err := table.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"name     time  note",
		"",
		"a heading that is long",
		"a      1.5 µs  x",
		"bcdef   10 ns",
		"",
	}, "\n")
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
