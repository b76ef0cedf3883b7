// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shapes are bugs that were found in real programs, with what must catch each:
// none may be left to luck. A shape whose bug spare's types rule out runs to its
// end in every build instead, or does not compile.
var shapes = []struct {
	name, pattern, seen string
	why                 string // why it cannot happen, or what else catches it
}{
	{"c02", "use-after-put", "thanos-io/thanos d2d53e575", "cannot happen: a slice's header is its owner's"},
	{"c04", "double-put", "syncthing/syncthing 964c8d7d6", ""},
	{"c06", "store-alias", "valyala/fasthttp 3ac3b24", ""},
	{"c07", "double-put", "valyala/fasthttp c6a17b9", ""},
	{"c20", "put-nil", "prometheus/prometheus 551de0346f", "cannot happen: Put ignores what has no array"},
	{"c22", "return-alias", "gofiber/fiber 456afdd70", ""},
	{"c29", "double-put", "cockroachdb/pebble c2dc3de22", ""},
	{"c30", "missing-reset", "cockroachdb/pebble bdfe331bd", "pooltest.Resets"},
	{"c31", "use-after-put", "cockroachdb/pebble 423ba082d", ""},
	{"c32", "store-alias", "cockroachdb/pebble 69a82fe41", ""},
	{"c36", "use-after-put", "nats-io/nats-server 0152afe1a", ""},
	{"c38", "goroutine-use", "nats-io/nats-server 3be25fded", ""},
	{"c41", "missing-reset", "rs/zerolog 7179aee", "cannot happen: Get returns an empty buffer"},
	{"c47", "double-put", "VictoriaMetrics/VictoriaMetrics 8d11b9f4a6", ""},
	{"c51", "double-put", "grafana/loki d8e6debaa5", ""},
	{"c58", "goroutine-use", "minio/minio 4c23e6fa5", ""},
	{"c59", "return-alias", "tailscale/tailscale c759fcc7d", ""},
	{"c60", "return-alias", "projectdiscovery/utils 1dff3b7", ""},
	{"c66", "goroutine-use", "containerd/containerd db358a9fd", ""},
	{"c70", "return-alias", "go-resty/resty PR#421", ""},
	{"c73", "use-after-put", "pquerna/ffjson PR#204", ""},
	{"c74", "wrong-type", "FDio/govpp PR#54", "cannot happen: it does not compile"},
	{"c77", "put-nil", "dominikh/go-tools issue#1437", "cannot happen: Put ignores nil; pooltest.Leaks reports the loss"},
	{"c82", "goroutine-use", "gin-contrib/timeout PR#65", ""},
	{"c87", "return-alias", "astavonin/go-optimization-guide issue#6", ""},
	{"c88", "missing-reset", "cloudwego/kitex cabe6840", "cannot happen since Go 1.23: Reset leaves no stale tick"},
	{"c89", "store-alias", "caddyserver/caddy 3b3d67871", ""},
	{"c90", "store-alias", "projectdiscovery/nuclei PR#6420 (caught in review)", ""},
	{"c92", "use-after-put", "valyala/fasthttp 62c15a5", ""},
	{"c93", "pool-copied", "ClickHouse/clickhouse-go PR#724", "go vet: copylocks"},
}

// A caught is what found a shape, in the order of the table's columns.
type caught struct{ checked, guard, race, vet string }

func (c caught) any() bool { return c.checked+c.guard+c.race != "" }

// TestShapes runs every shape in every build, and writes the table.
func TestShapes(t *testing.T) {
	normalOnly(t)
	dir := t.TempDir()
	build := func(name string, flags ...string) string {
		exe := filepath.Join(dir, name)
		args := append(append([]string{"build", "-o", exe}, flags...), "./testdata/shapes")
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return exe
	}
	normal, checked, race := build("normal"), build("checked", "-tags=spare_checked"), build("race", "-race")
	vetted := vet(t, dir)
	run := func(exe, shape string, env ...string) (out string, ok bool) {
		cmd := exec.Command(exe, shape)
		cmd.Env = append(append(os.Environ(), "SPARE_CHECKED=", "SPARE_GUARD="), env...)
		b, err := cmd.CombinedOutput()
		return string(b), err == nil && strings.HasSuffix(string(b), "done\n")
	}

	var table strings.Builder
	table.WriteString("| shape | bug | seen in | checked build | with SPARE_GUARD=1 | race detector | spare vet | otherwise |\n|---|---|---|---|---|---|---|---|\n")
	var byChecked, byDynamic, impossible, byVet int
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			cannot := strings.HasPrefix(s.why, "cannot happen")
			var c caught
			switch s.name {
			case "c74":
				out, err := exec.Command("go", "build", "./testdata/c74").CombinedOutput()
				if err == nil || !strings.Contains(string(out), "cannot use &b") {
					t.Errorf("it compiles: %v\n%s", err, out)
				}
			case "c93":
				out, err := exec.Command("go", "vet", "-copylocks", "./testdata/shapes").CombinedOutput()
				if err == nil || !regexp.MustCompile(`c93\.go:\d+:\d+: return copies lock value`).Match(out) {
					t.Errorf("go vet does not see the copy: %v\n%s", err, out)
				}
			case "c30":
				if out, _ := run(normal, "c30resets"); !strings.Contains(out, "shows its next user level.err") {
					t.Errorf("pooltest.Resets does not see it: %s", out)
				}
			default:
				if out, ok := run(checked, s.name); !ok {
					c.checked = kind(t, out)
				}
				if out, ok := run(checked, s.name, "SPARE_GUARD=1"); !ok {
					c.guard = kind(t, out)
				}
				// On one P the next user finds the memory for sure, and the
				// detector needs no parallelism.
				if out, ok := run(race, s.name, "GOMAXPROCS=1"); !ok {
					c.race = kind(t, out)
				}
				if out, ok := run(normal, s.name); cannot && !ok {
					t.Errorf("it goes wrong: %s", out)
				}
				if cannot && c.any() {
					t.Errorf("it is reported: %+v", c)
				}
				if !cannot && !c.any() {
					t.Error("nothing catches it")
				}
			}
			if cannot {
				impossible++
			}
			if c.checked != "" || c.guard != "" {
				byChecked++
			}
			if c.any() {
				byDynamic++
			}
			if c.vet = vetted[s.name]; c.vet != "" {
				byVet++
			}
			fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", s.name, s.pattern, s.seen, c.checked, c.guard, c.race, c.vet, s.why)
		})
	}
	fmt.Fprintf(&table, "\n%d shapes: %d cannot happen; %d are caught while they run, %d of them by the checked build; %d are reported by spare vet.\n",
		len(shapes), impossible, byDynamic, byChecked, byVet)
	document(t, "shapes", table.String())
}

// kind says in the table's words how a shape ended.
func kind(t *testing.T, out string) string {
	t.Helper()
	for _, k := range []struct{ in, kind string }{
		{"spare: double Put", "double Put"},
		{"spare: write after Put", "write after Put"},
		{"unexpected fault address", "fault at the line"},
		{"WARNING: DATA RACE", "race"},
		{"nil pointer dereference", "nil dereference at the line"},
	} {
		if strings.Contains(out, k.in) {
			return k.kind
		}
	}
	t.Errorf("it ends in a way that nobody foresaw:\n%s", out)
	return ""
}

// vet runs the analyzers, and returns what they say about each shape.
func vet(t *testing.T, dir string) map[string]string {
	t.Helper()
	tools, err := filepath.Abs(filepath.Join("..", "..", "tools"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tools); err != nil {
		t.Skip("the tools module is not here")
	}
	exe := filepath.Join(dir, "spare")
	cmd := exec.Command("go", "build", "-o", exe, "./cmd/spare")
	cmd.Dir = tools
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build of the tools: %v\n%s", err, out)
	}
	out, _ := exec.Command(exe, "vet", "./testdata/shapes").CombinedOutput()
	found := make(map[string]string)
	for _, m := range regexp.MustCompile(`(?m)(c\d\d)\.go:\d+:\d+: .*\[([a-z-]+)\]$`).FindAllStringSubmatch(string(out), -1) {
		if m[2] != "missing-put" && !strings.Contains(found[m[1]], m[2]) {
			found[m[1]] = strings.TrimPrefix(found[m[1]]+", "+m[2], ", ")
		}
	}
	if len(found) == 0 {
		t.Fatalf("spare vet finds nothing:\n%s", out)
	}
	return found
}
