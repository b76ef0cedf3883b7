// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/pprof/profile"
)

// hostile is what others may have put into a name or a message: it colors, sets
// the title, goes back over the line, turns text round, begins a line that looks like
// spare's, and is no UTF-8.
const hostile = "evil\x1b[31m\x1b]0;t\a\r\b\x7f\u009b1m\u202e\u2066\xff\nspare: FAKE"

const password = "s3cr3t/pass"

// checkHarmless checks that a text neither steers a terminal, nor has a line of
// somebody else's, nor a secret.
func checkHarmless(t *testing.T, what, text string, secrets ...string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is no UTF-8: %.2000q", what, text)
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%s has %U: %.2000q", what, r, text)
			break
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "spare: FAKE") {
			t.Errorf("%s has a line of somebody else's: %q", what, line)
		}
	}
	for _, s := range secrets {
		if strings.Contains(text, s) {
			t.Errorf("%s has %q: %.2000q", what, s, text)
		}
	}
}

// hostileProfile writes an allocation profile with hostile names.
func hostileProfile(t *testing.T, path string) {
	t.Helper()
	fn := &profile.Function{ID: 1, Name: "example.com/größe." + hostile, SystemName: hostile, Filename: "/" + hostile + ".go"}
	m := &profile.Mapping{ID: 1, File: hostile, BuildID: hostile}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}, {Type: hostile, Unit: hostile}},
		PeriodType: &profile.ValueType{Type: hostile, Unit: hostile}, Period: 1, Comments: []string{hostile},
		Function: []*profile.Function{fn}, Mapping: []*profile.Mapping{m},
		Location: []*profile.Location{{ID: 1, Mapping: m, Line: []profile.Line{{Function: fn, Line: 3}}}, {ID: 2, Mapping: m, Address: 1}},
	}
	p.Sample = []*profile.Sample{
		{Location: p.Location, Value: []int64{1000, 1 << 20, 1}, Label: map[string][]string{hostile: {hostile}}, NumLabel: map[string][]int64{"bytes": {1 << 10}}, NumUnit: map[string][]string{"bytes": {hostile}}},
	}
	f, err := os.Create(path)
	if err == nil {
		err = p.Write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Skipf("the system does not have such names: %v", err)
	}
}

// Names in profiles, and of files, are printed harmless, and names in other
// languages stay.
func TestHostileProfiles(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, strings.ReplaceAll(hostile, "/", ""))
	hostileProfile(t, good)
	bad := good + ".bad"
	if err := os.WriteFile(bad, []byte(hostile), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"-profile", good}, 0, []string{"größe", `evil\x1b[31m\x1b]0;t\a\r\b\u007f\u009b1m\u202e\u2066`}},
		{[]string{"-json", "-profile", good}, 0, []string{"größe", `evil\\x1b[31m`}},
		{[]string{"-profile", good, "-profile", good}, 0, []string{"größe", "2 profiles,"}},
		{[]string{"-profile", bad}, 2, []string{`evil\x1b[31m`, "is not a profile"}},
		{[]string{"-profile", good + ".none"}, 2, []string{`evil\x1b[31m`, "no such file"}},
		{[]string{"-base", good, "-profile", good}, 2, []string{`evil\x1b[31m`, "its base"}},
		{[]string{"-explain", good + ":3"}, 2, []string{`evil\x1b[31m`}},
		{[]string{"-explain", good + ":99999"}, 2, []string{`evil\x1b[31m`, "the file has"}},
		{[]string{"-" + hostile}, 2, []string{`evil\x1b[31m`}},
		{[]string{"-bench", hostile}, 2, []string{`evil\x1b[31m`}},
		{[]string{hostile}, 2, []string{"evil"}},
	} {
		stdout, stderr, code := spare(t, append([]string{"advise"}, tt.args...)...)
		if code != tt.code {
			t.Errorf("%q: code %d, want %d: %s", tt.args, code, tt.code, stderr)
		}
		contains(t, "the output", stdout+stderr, tt.want...)
		checkHarmless(t, strings.Join(tt.args[:1], " ")+": standard output", stdout)
		checkHarmless(t, strings.Join(tt.args[:1], " ")+": standard error", stderr)
	}
}

// Whatever a server answers, and however the address is wrong, nothing that is
// printed has the password, or a token, or what steers a terminal.
func TestHostileServers(t *testing.T) {
	mux := http.NewServeMux()
	echo := func(r *http.Request) string {
		return hostile + password + r.Header.Get("Authorization") + r.URL.RawQuery + r.Header.Get("X-Api-Key")
	}
	mux.HandleFunc("/refuse/", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, echo(r))
	})
	mux.HandleFunc("/echo/", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, r.Header.Get("Authorization")+" "+r.Header.Get("X-Api-Key"))
	})
	mux.HandleFunc("/message/", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		json.NewEncoder(w).Encode(map[string]string{"message": echo(r)})
	})
	mux.HandleFunc("/garbage/", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, echo(r)) })
	mux.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://me:"+password+"@host:port/?token=t0k3n")
		w.WriteHeader(http.StatusFound)
	})
	mux.HandleFunc("/round/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/round/?token=t0k3n&password=s3cr3t%2Fpass")
		w.WriteHeader(http.StatusFound)
	})
	mux.HandleFunc("/parca/", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"types": []map[string]string{{"name": echo(r), "sampleType": hostile}}})
	})
	mux.HandleFunc("/status/", func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			io.WriteString(conn, "HTTP/1.1 500 "+strings.ReplaceAll(echo(r), "\n", " ")+"\r\n\r\n")
			conn.Close()
		}
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	host := strings.TrimPrefix(srv.URL, "http://")
	dead := httptest.NewServer(nil)
	gone := strings.TrimPrefix(dead.URL, "http://")
	dead.Close()

	secrets := []string{password, "s3cr3t", "t0k3n", base64.StdEncoding.EncodeToString([]byte("me:" + password))}
	at := func(path string) string { return "http://me:s3cr3t%2Fpass@" + host + path + "?token=t0k3n" }
	type test struct {
		args []string
		want string
	}
	var tests []test
	for _, path := range []string{"/refuse/", "/message/", "/garbage/", "/moved/", "/round/", "/status/", "/parca/", "/none/"} {
		for _, flags := range [][]string{{"-span=1ms", "-profile"}, {"-query={a=\"b\"}", "-pyroscope"}, {"-query={a=\"b\"}", "-parca"}} {
			tests = append(tests, test{append(flags, at(path)), "xxxxx@" + host})
		}
	}
	tests = append(tests, []test{
		{[]string{"-span=1ms", "-profile", "http://me:s3cr3t%2Fpass@" + gone + "/?token=t0k3n"}, "xxxxx@" + gone},
		{[]string{"-span=1ms", "-profile", "HTTP://me:s3cr3t%2Fpass@" + gone}, "xxxxx@" + gone},
		{[]string{"-span=1ms", "-profile", "http://t0k3n@" + gone}, "xxxxx@" + gone},
		{[]string{"-span=1ms", "-profile", "http://me:" + password + "@" + host}, "xxxxx@" + host},
		{[]string{"-span=1ms", "-profile", "http://me:s3cr3t pass@" + host}, "xxxxx@" + host},
		{[]string{"-span=1ms", "-profile", "http://me:s3cr3t%zzpass@" + host}, "xxxxx@" + host},
		{[]string{"-profile", "me:" + password + "@" + host}, "xxxxx@" + host},
		{[]string{"-profile", "https:/me:" + password + "@" + host}, "xxxxx@" + host},
		{[]string{"-query=x", "-pyroscope", "me:" + password + "@" + host}, "xxxxx@" + host},
		{[]string{"-query=x", "-parca", "ftp://me:s3cr3t@" + host}, "xxxxx@" + host},
		{[]string{"-profile", at("/a"), "-profile", at("/b")}, "xxxxx@" + host},
		{[]string{"-profile", at("/debug/pprof/profile")}, "CPU profile"},
		{[]string{"-profile", at("/") + "&seconds=none"}, "xxxxx@" + host},
		{[]string{"-profile", at("/a"), "http://me:s3cr3t@" + host}, "xxxxx@" + host},
		{[]string{"http://me:s3cr3t@" + host}, "xxxxx@" + host},
		{[]string{"-span=1ms", "-header", "X-Api-Key: s3cr3t", "-header", "Authorization: Bearer t0k3n", "-profile", srv.URL + "/echo/"}, "401 Unauthorized: xxxxx xxxxx"},
		{[]string{"-header", "s3cr3t", "-profile", srv.URL}, "-header: want 'Name: value'"},
	}...)
	for _, tt := range tests {
		stdout, stderr, code := spare(t, append([]string{"advise"}, tt.args...)...)
		what := strings.Join(tt.args, " ")
		if code != 2 || stdout != "" {
			t.Errorf("%s: code %d, standard output %q", what, code, stdout)
		}
		contains(t, what, stderr, tt.want)
		checkHarmless(t, what, stderr, secrets...)
		// What is masked in an address tells nothing of the address itself.
		if strings.Contains(tt.want, "@") && !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: standard error does not name the address: %s", what, stderr)
		}
	}
}

// What a store was asked for is in the report, without the password.
func TestHostileSource(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "profile")
	hostileProfile(t, file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, given, _ := r.BasicAuth(); given != password {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Write(data)
	}))
	t.Cleanup(srv.Close)
	address := "http://me:s3cr3t%2Fpass@" + strings.TrimPrefix(srv.URL, "http://") + "/debug/pprof/allocs?seconds=1&token=t0k3n"
	for _, flags := range [][]string{nil, {"-json"}} {
		stdout, stderr, code := spare(t, append(append([]string{"advise"}, flags...), "-profile", address)...)
		if code != 0 {
			t.Fatalf("code %d: %s", code, stderr)
		}
		contains(t, "the report", stdout, "me:xxxxx@", "token=xxxxx", "größe")
		contains(t, "standard error", stderr, "me:xxxxx@")
		checkHarmless(t, "the report", stdout, "s3cr3t", "t0k3n")
		checkHarmless(t, "standard error", stderr, "s3cr3t", "t0k3n")
	}
}

// hostileModule makes a module with a file of the given name, which has a site and
// a finding, with benchmarks of hostile names and output, and goes there.
func hostileModule(t *testing.T, name string) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{
		"go.mod": "module evil.example\n\ngo 1.26.0\n",
		name: `package evil

import "sync"

var pool sync.Pool

//go:noinline
func Use(n int) (sum int) {
	b := make([]byte, 0, n)
	for i := range n {
		b = append(b, byte(i))
	}
	for _, c := range b {
		sum += int(c)
	}
	return sum
}

func Twice() {
	x := pool.Get()
	pool.Put(x)
	pool.Put(x)
}
`,
		"evil_test.go": `package evil

import (
	"fmt"
	"os"
	"testing"
)

const hostile = "evil\x1b[31m\x1b]0;t\a\r\b\x7f\u009b1m\u202e\u2066\xff\nspare: FAKE"

func BenchmarkUse(b *testing.B) {
	fmt.Fprintln(os.Stderr, hostile)
	b.Run(hostile+"größe", func(b *testing.B) {
		for b.Loop() {
			Use(1000)
		}
	})
}

func BenchmarkPanic(b *testing.B) {
	fmt.Fprintln(os.Stderr, hostile)
	panic(hostile)
}
`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Skipf("the system does not have such names: %v", err)
		}
	}
	t.Chdir(dir)
}

// runIn is spare in the current directory.
func runIn(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	var out, diag bytes.Buffer
	code = run(t.Context(), &out, &diag, args)
	return out.String(), diag.String(), code
}

// The commands print names of files and benchmarks, values of the environment and
// what benchmarks print without what steers a terminal.
func TestHostileModules(t *testing.T) {
	needsTrials(t)
	name := strings.ReplaceAll(hostile, "\xff", "") // with which go vet cannot open it
	short := []string{"-count=1", "-benchtime=10x", "-bench=Use"}
	for _, tt := range []struct {
		file string
		args []string
		code int
		want []string
	}{
		{name + ".go", []string{"vet", "."}, 1, []string{`evil\x1b[31m`, "the second Put"}},
		{name + ".go", []string{"vet", "-json", "."}, 1, []string{`evil\u001b[31m`}},
		{name + ".go", []string{"vet", "-sarif=-", "."}, 1, []string{"double-put"}},
		{name + ".go", []string{"vet", "-diff", "."}, 1, []string{`--- "a/evil\033[31m`, "-\tpool.Put(x)"}},
		{name + ".go", append([]string{"bench"}, short...), 0, []string{"größe", "B/op"}},
		{name + ".go", append([]string{"bench", "-json"}, short...), 0, []string{"größe"}},
		{name + ".go", append([]string{"bench", "-env-a", "EVIL=" + hostile}, short...), 0, []string{"größe", `EVIL=evil\x1b[31m`}},
		{name + ".go", []string{"bench", "-count=1", "-bench=Panic"}, 2, []string{`evil\x1b[31m`, "panicked"}},
		{name + ".go", []string{"bench", "-o", hostile + "/x", "."}, 2, []string{`evil\x1b[31m`}},
		{name + ".go", append([]string{"report", "-o", name + ".txt", "-o", name + ".json", "-o", name + ".html"}, short...), 0, []string{`evil\x1b[31m`}},
		{strings.ReplaceAll(name, "\n", "") + ".go", []string{"advise", "-diff", "-cputime=30ms", "-benchtime=10ms", "-bench=Use", "."}, 0, []string{`evil\x1b[31m`, `--- "a/evil\033[31m`, "b := useSlices.Get("}},
	} {
		hostileModule(t, tt.file)
		stdout, stderr, code := runIn(t, tt.args...)
		what := tt.args[0] + " " + tt.args[1]
		if code != tt.code {
			t.Errorf("%s: code %d, want %d: %s", what, code, tt.code, stderr)
		}
		contains(t, what, stdout+stderr, tt.want...)
		checkHarmless(t, what+", standard output", stdout)
		checkHarmless(t, what+", standard error", stderr)
		if tt.args[0] != "report" {
			continue
		}
		for _, ext := range []string{".txt", ".json", ".html"} {
			data, err := os.ReadFile(name + ext)
			if err != nil {
				t.Fatal(err)
			}
			contains(t, ext, string(data), "größe", "evil")
			checkHarmless(t, "the file "+ext, string(data))
		}
	}
}
