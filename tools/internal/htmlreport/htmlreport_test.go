// SPDX-License-Identifier: BSD-3-Clause

package htmlreport_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/htmlreport"
	"github.com/spare-go/spare/tools/internal/measure"
)

// series makes twelve rounds of a benchmark with these values.
func series(name string, values map[string]float64) *measure.Series {
	s := &measure.Series{Case: &measure.Case{Package: gotest.Package{ImportPath: "example.com/p"}, Name: name, Procs: 1}}
	for i := range 12 {
		var smp measure.Sample
		for unit, v := range values {
			if unit == measure.NsPerOp || unit == measure.CPUPerOp {
				v *= 1 + float64(i%3)/100
			}
			smp.Values = append(smp.Values, benchfmt.Value{Value: v, Unit: unit})
		}
		s.Samples = append(s.Samples, smp)
	}
	return s
}

func render(t *testing.T, p *htmlreport.Page) string {
	t.Helper()
	p.Title, p.Key, p.Rounds, p.Started = "Title", "impl", 12, time.Unix(0, 0).UTC()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "%!"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	// No mark lies outside its picture.
	for _, m := range regexp.MustCompile(` (?:x|cx|x1|x2)="(-?[0-9.]+)%"`).FindAllStringSubmatch(b.String(), -1) {
		if x, err := strconv.ParseFloat(m[1], 64); err != nil || x < 0 || x > 100 {
			t.Errorf("a mark at %s", m[0])
		}
	}
	return b.String()
}

func full(ns, bytes, allocs float64) map[string]float64 {
	return map[string]float64{
		measure.NsPerOp: ns, measure.CPUPerOp: ns, measure.BytesPerOp: bytes, measure.AllocsPerOp: allocs,
		measure.ColdBytes: 3 * bytes, measure.ColdAllocs: 3 * allocs, measure.GCBytes: bytes, measure.GCAllocs: allocs,
	}
}

func TestPage(t *testing.T) {
	a, b := series("BenchmarkX/impl=a", full(100, 64, 1)), series("BenchmarkX/impl=b", full(25, 0, 0))
	a.Replica = series("", full(100, 64, 1)).Samples
	page := render(t, &htmlreport.Page{Exact: true, Raw: "raw <data>", Groups: compare.By([]*measure.Series{a, b}, "impl")})
	for _, want := range []string{
		"CPU time relative to a: b 0.250", "b: warm 0 B, cold 0 B, after a collection 0 B", "a: warm 64 B, cold 192 B",
		"raw &lt;data&gt;", `<span class="better">0.250</span>`, "<th scope=\"row\"><span class=\"key k1\"></span>b</th>", "noise floor",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestPageComparesNeighbours(t *testing.T) {
	all := []*measure.Series{series("BenchmarkX/impl=a", full(100, 64, 1)), series("BenchmarkX/impl=b", full(50, 0, 0)), series("BenchmarkX/impl=c", full(25, 0, 0))}
	page := render(t, &htmlreport.Page{Exact: true, Groups: compare.By(all, "impl")})
	for _, want := range []string{"c against b", "c relative to b, over the groups that have both: <strong>0.500</strong>", "ratio to b", "clearly less in 1, no clear difference in 0"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	page = render(t, &htmlreport.Page{Exact: true, Groups: compare.By(all[:2], "impl")})
	if strings.Contains(page, "b against a") {
		t.Error("the page repeats the ratio of the second to the first")
	}
}

// Whatever was measured must give a page: nothing to compare, whole numbers
// only, ratios beyond every axis, nothing allocated, times of zero, many
// implementations.
func TestPageOfUnusualResults(t *testing.T) {
	for name, all := range map[string][]*measure.Series{
		"none":    nil,
		"alone":   {series("BenchmarkX", full(100, 64, 1))},
		"integer": {series("BenchmarkX/impl=a", map[string]float64{measure.NsPerOp: 5}), series("BenchmarkX/impl=b", map[string]float64{measure.NsPerOp: 6})},
		"no time": {series("BenchmarkX/impl=a", map[string]float64{"x/op": 5}), series("BenchmarkX/impl=b", map[string]float64{"x/op": 6})},
		"zero":    {series("BenchmarkX/impl=a", full(0, 0, 0)), series("BenchmarkX/impl=b", full(0, 0, 0))},
		"beyond":  {series("BenchmarkX/impl=a", full(1, 1, 1)), series("BenchmarkX/impl=b", full(1e9, 1e15, 1e12)), series("BenchmarkX/impl=c", full(1e-5, 0.001, 0.001))},
		"many": {series("BenchmarkX/impl=a", full(1, 1, 1)), series("BenchmarkX/impl=b", full(2, 1, 1)), series("BenchmarkX/impl=c", full(3, 1, 1)),
			series("BenchmarkX/impl=d", full(4, 1, 1)), series("BenchmarkX/impl=e", full(5, 1, 1)), series("BenchmarkX/impl=f", full(6, 1, 1)), series("BenchmarkX/impl=g", full(7, 1, 1))},
		"markup": {series("BenchmarkX/impl=<i>a</i>", full(1, 1, 1)), series("BenchmarkX/impl=\"b\"", full(2, 1, 1))},
	} {
		t.Run(name, func(t *testing.T) {
			page := render(t, &htmlreport.Page{Groups: compare.By(all, "impl")})
			if strings.Contains(page, "<i>a") {
				t.Error("a name became markup")
			}
			// An arrow stands for a ratio that no axis holds.
			if arrows := strings.Count(page, `d="M10 0-2-6-2 6Z"`); (name == "beyond") != (arrows > 0) {
				t.Errorf("%d arrows to the right", arrows)
			}
			if !strings.HasSuffix(strings.TrimSpace(page), "</html>") {
				t.Error("the page ends early")
			}
		})
	}
}

func TestSizeOfAHundredBenchmarks(t *testing.T) {
	var all []*measure.Series
	for i := range 50 {
		for _, impl := range []string{"a", "b"} {
			all = append(all, series("BenchmarkNumber"+strconv.Itoa(i)+"/impl="+impl, full(100, 64, 1)))
		}
	}
	page := render(t, &htmlreport.Page{Exact: true, Groups: compare.By(all, "impl")})
	if len(page) > 600<<10 {
		t.Errorf("%d KiB without the raw data", len(page)>>10)
	}
}
