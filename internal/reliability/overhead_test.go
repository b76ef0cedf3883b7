// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOverhead compares builds and settings, interleaved, and writes the
// ratios. It asserts nothing about time.
func TestOverhead(t *testing.T) {
	normalOnly(t)
	if !*update {
		t.Skip("measures, with -update")
	}
	dir := t.TempDir()
	builds := map[string][]string{"normal": nil, "checked": {"-tags=spare_checked"}, "race": {"-race"}}
	for name, flags := range builds {
		args := append(append([]string{"build", "-o", filepath.Join(dir, name)}, flags...), "./testdata/overhead")
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	ways := []struct{ name, exe, env string }{
		{"normal", "normal", ""},
		{"checked", "checked", ""},
		{"checked, SPARE_CHECKED=reuse", "checked", "SPARE_CHECKED=reuse"},
		{"checked, SPARE_GUARD=1", "checked", "SPARE_GUARD=1"},
		{"checked, SPARE_GUARD=100", "checked", "SPARE_GUARD=100"},
		{"checked, SPARE_GUARD=10000", "checked", "SPARE_GUARD=10000"},
		{"checked, SPARE_CHECKED=guardonly SPARE_GUARD=1", "checked", "SPARE_CHECKED=guardonly SPARE_GUARD=1"},
		{"checked, SPARE_CHECKED=guardonly SPARE_GUARD=100", "checked", "SPARE_CHECKED=guardonly SPARE_GUARD=100"},
		{"checked, SPARE_CHECKED=guardonly SPARE_GUARD=10000", "checked", "SPARE_CHECKED=guardonly SPARE_GUARD=10000"},
		{"race detector", "race", ""},
	}
	least := make([]map[string]float64, len(ways))
	var names []string
	for range 5 {
		for i, w := range ways {
			cmd := exec.Command(filepath.Join(dir, w.exe))
			cmd.Env = append(append(os.Environ(), "SPARE_CHECKED=", "SPARE_GUARD="), strings.Fields(w.env)...)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s", w.name, err, out)
			}
			var got []struct {
				Name string
				CPU  float64 // ns of process CPU time for each operation
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			if least[i] == nil {
				least[i] = make(map[string]float64)
			}
			names = names[:0]
			for _, g := range got {
				names = append(names, g.Name)
				if old, ok := least[i][g.Name]; !ok || g.CPU < old {
					least[i][g.Name] = g.CPU
				}
			}
		}
	}
	var b strings.Builder
	b.WriteString("Process CPU time for each operation, least of five interleaved runs, as a ratio to the normal build beside it.\n\n| build |")
	for _, n := range names {
		fmt.Fprintf(&b, " %s |", n)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(names)) + "\n")
	for i, w := range ways {
		fmt.Fprintf(&b, "| %s |", w.name)
		for _, n := range names {
			if i == 0 {
				fmt.Fprintf(&b, " %.0f ns |", least[0][n])
			} else {
				fmt.Fprintf(&b, " %.1fx |", least[i][n]/least[0][n])
			}
		}
		b.WriteString("\n")
	}
	figure(t, "overhead", b.String())
}
