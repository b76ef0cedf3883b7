// SPDX-License-Identifier: BSD-3-Clause

// Package htmlreport writes the page of spare report: one file that needs no
// network and no script, for light and dark screens, and for paper.
package htmlreport

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/vetcmd"
)

var (
	//go:embed page.html.tmpl
	pageText string
	//go:embed page.css
	style string
)

// A Page is what a report shows.
type Page struct {
	Title    string
	Facts    []Fact // the machine, the toolchain, how it was measured
	Commands []string
	Exact    bool
	Rounds   int
	Key      string // that the groups differ in
	Groups   []*compare.Group
	Warnings []string
	Raw      string // the samples in the Go benchmark format
	Replica  string // those of the A/A replicas
	Started  time.Time

	Vet    *Vet           // nil if spare vet did not run
	Advice *advise.Report // nil if spare advise did not run
}

// A Vet is what spare vet said.
type Vet struct {
	Findings []vetcmd.Diagnostic
	Broken   string // what was not analysed, and why; "" if everything was
}

// A Fact is a line of the page's foot.
type Fact struct{ Name, Value string }

// maxRaw is how much raw data the page has before it leaves out the replicas.
const maxRaw = 420_000

// ShowReplica reports whether the page has the replicas.
func (p *Page) ShowReplica() bool {
	return p.Replica != "" && len(p.Raw)+len(p.Replica) <= maxRaw
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	return page().Execute(w, p.view())
}

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageText))
})

// The types below are what the template walks. All text in them is escaped by
// the template; all numbers in the charts are computed here.
type view struct {
	*Page
	CSS       template.CSS
	Legend    []series
	Compared  []groupView // the groups that have something to compare
	Sections  []section
	Axis      axis
	Totals    []total
	Pairs     []pairView // of the values after the second with the ones before
	Date      string
	Sites     []siteView // of Advice, as many as the page shows
	MoreSites int
	Proofs    []proofView
}

type series struct {
	Name  string
	Class string // of the style sheet: s0, s1, ...
	Shape int
}

type section struct {
	Package string
	Groups  []groupView
}

type groupView struct {
	*compare.Group
	ID       string
	Rows     []row
	CPUAxis  axis // for the distribution of CPU time, or of time where there is none
	CPUUnit  string
	ByteAxis axis
	Marks    []mark // ratios to the first, for the overview
	Band     span   // the noise floor around 1, in the overview
	Best     string // in words, for those who do not see the chart
	HasBand  bool
	Height   int // of the row in the overview
	HasBytes bool
	TimeAxis axis // for the collections
	HasTime  bool
}

type row struct {
	series
	Base                      bool
	Time, CPU                 string
	TimeRatio, CPURatio       ratioView
	Bytes, ColdBytes, GCBytes string
	Allocs, ColdAllocs        string
	GCAllocs                  string
	Dots                      string // one for each round, on CPUAxis, as a path
	Middle                    string
	Box                       span   // the middle half of the rounds
	Collections               string // on TimeAxis, as a path
	End                       string // of the window, on TimeAxis
	TimeText                  string
	Points                    []point // warm, cold, after GC, on ByteAxis
	Join                      span
	DotText                   string
	PointText                 string
}

type ratioView struct {
	Text, Interval string
	Same           bool // not told from 1
	Better         bool
	Worse          bool
}

type mark struct {
	series
	X, Y string
	Line span
	Text string
	Out  string // "", "left" or "right": the mark is beyond the axis
}

type point struct {
	X    string
	Kind string // warm, cold, gc
}

type span struct{ X, Width string }

type axis struct {
	Ticks []tick
	Label string
}

// Grid draws the lines of the axis through a picture 1000 wide and 26 high.
func (a axis) Grid() string {
	var b strings.Builder
	for _, t := range a.Ticks {
		x, err := strconv.ParseFloat(strings.TrimSuffix(t.X, "%"), 64)
		if err == nil {
			fmt.Fprintf(&b, "M%.0f 0v26", 10*x)
		}
	}
	return b.String()
}

type tick struct {
	X, Text string
	Strong  bool
	Anchor  string
}

// A total is a compare.Total in words.
type total struct {
	series
	Time, CPU           string
	Warm, AfterGC, Cold string
	Less, Same, More    int
}

// A pairView is a compare.Neighbour in words.
type pairView struct {
	series
	Before           string
	Unit             string
	Overall          ratioView
	Rows             []pairRow
	Less, Same, More int
}

type pairRow struct {
	ID, Title string
	Ratio     ratioView
}

func pct(x float64) string { return strconv.FormatFloat(100*x, 'f', 2, 64) + "%" }

// inset keeps marks off the ends of an axis.
func inset(x float64) float64 { return 0.02 + 0.96*x }

func (p *Page) view() *view {
	v := &view{Page: p, CSS: template.CSS(style), Date: p.Started.Format("2 January 2006, 15:04 MST")}
	classes := p.classes()
	for _, s := range classes {
		v.Legend = append(v.Legend, s)
	}
	scale, ticks := ratioScale(p.Groups)
	v.Axis = ticks
	for i, g := range p.Groups {
		gv := newGroup(g, i, classes, scale)
		if len(g.Members) > 1 {
			v.Compared = append(v.Compared, gv)
		}
		if n := len(v.Sections); n == 0 || v.Sections[n-1].Package != g.Package {
			v.Sections = append(v.Sections, section{Package: g.Package})
		}
		s := &v.Sections[len(v.Sections)-1]
		s.Groups = append(s.Groups, gv)
	}
	v.Sites, v.MoreSites = sites(p.Advice)
	v.Proofs = proofViews(Proofs(p.Groups, p.Advice), classes)
	for _, t := range compare.Totals(p.Groups) {
		v.Totals = append(v.Totals, total{
			series: classOf(classes, t.Value),
			Time:   number(t.Time, format.Ratio), CPU: number(t.CPU, format.Ratio),
			Warm: number(t.Warm, format.Percent), AfterGC: number(t.AfterGC, format.Percent), Cold: number(t.Cold, format.Percent),
			Less: t.Less, Same: t.Same, More: t.More,
		})
	}
	for _, n := range compare.Neighbours(p.Groups) {
		pv := pairView{series: classOf(classes, n.Value), Before: n.Before, Unit: "CPU time", Less: n.Less, Same: n.Same, More: n.More}
		if n.Unit != measure.CPUPerOp {
			pv.Unit = "time"
		}
		pv.Overall = ratioView{Text: "–"}
		if n.HasOverall {
			pv.Overall = ratioView{
				Text: format.Ratio(n.Overall.Center), Interval: format.Ratio(n.Overall.Lo) + "–" + format.Ratio(n.Overall.Hi),
			}
		}
		for _, row := range n.Rows {
			pv.Rows = append(pv.Rows, pairRow{
				ID: "g" + strconv.Itoa(slices.Index(p.Groups, row.Group)), Title: row.Title, Ratio: ratioOf(row.Ratio),
			})
		}
		v.Pairs = append(v.Pairs, pv)
	}
	return v
}

// classes gives each value of the key a colour and a shape, in the order in
// which the values occur.
func (p *Page) classes() []series {
	var all []series
	for _, g := range p.Groups {
		for _, m := range g.Members {
			if m.Value != "" && !slices.ContainsFunc(all, func(s series) bool { return s.Name == m.Value }) {
				n := len(all)
				all = append(all, series{m.Value, "s" + strconv.Itoa(n%6), n % 6})
			}
		}
	}
	return all
}

func classOf(classes []series, value string) series {
	for _, s := range classes {
		if s.Name == value {
			return s
		}
	}
	return series{value, "s0", 0}
}

func newGroup(g *compare.Group, i int, classes []series, scale func(float64) (float64, string)) groupView {
	gv := groupView{Group: g, ID: "g" + strconv.Itoa(i), CPUUnit: "CPU time"}
	unit := compare.Main(g)
	if unit != measure.CPUPerOp {
		gv.CPUUnit = "time"
	}
	top := 0.0
	maxBytes := 0.0
	for _, m := range g.Members {
		for _, x := range m.Values(unit) {
			top = max(top, x)
		}
		for _, u := range []string{measure.BytesPerOp, measure.ColdBytes, measure.GCBytes} {
			if x, ok := m.Median(u); ok {
				maxBytes = max(maxBytes, x)
				gv.HasBytes = true
			}
		}
	}
	var cpuX func(float64) float64
	cpuX, gv.CPUAxis = linear(top)
	var byteX func(float64) float64
	byteX, gv.ByteAxis = logBytes(maxBytes)
	timeX := gv.timeAxis()

	for _, m := range g.Members {
		r := row{series: classOf(classes, m.Value), Base: m == g.Members[0]}
		if r.Name == "" {
			r.Name = "measured"
		}
		r.Time, r.CPU = text(m, measure.NsPerOp, format.Duration), text(m, measure.CPUPerOp, format.Duration)
		r.Bytes, r.ColdBytes, r.GCBytes = text(m, measure.BytesPerOp, format.Bytes), text(m, measure.ColdBytes, format.Bytes), text(m, measure.GCBytes, format.Bytes)
		r.Allocs, r.ColdAllocs, r.GCAllocs = text(m, measure.AllocsPerOp, format.Count), text(m, measure.ColdAllocs, format.Count), text(m, measure.GCAllocs, format.Count)
		r.TimeRatio, r.CPURatio = ratio(g, m, measure.NsPerOp), ratio(g, m, measure.CPUPerOp)
		values := m.Values(unit)
		r.Dots = dots(values, cpuX)
		if q, ok := m.Quartiles(unit); ok {
			r.Middle = pct(cpuX(q[2]))
			r.Box = span{pct(cpuX(q[1])), pct(cpuX(q[3]) - cpuX(q[1]))}
			r.DotText = r.Name + ": median " + format.Duration(q[2]) + ", middle half " + format.Duration(q[1]) + " to " + format.Duration(q[3]) +
				", from " + format.Duration(q[0]) + " to " + format.Duration(q[4])
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		said := make(map[string]string)
		for _, k := range []struct{ unit, kind, name string }{
			{measure.ColdBytes, "cold", "cold"}, {measure.GCBytes, "gc", "after a collection"}, {measure.BytesPerOp, "warm", "warm"},
		} {
			if x, ok := m.Median(k.unit); ok {
				at := byteX(x)
				lo, hi = min(lo, at), max(hi, at)
				r.Points = append(r.Points, point{pct(at), k.kind})
				said[k.unit] = k.name + " " + format.Bytes(x)
			}
		}
		if len(r.Points) > 0 {
			r.Join = span{pct(lo), pct(hi)}
		}
		var points []string // in the order of the tables; above, in that of drawing
		for _, unit := range []string{measure.BytesPerOp, measure.ColdBytes, measure.GCBytes} {
			if s, ok := said[unit]; ok {
				points = append(points, s)
			}
		}
		r.PointText = r.Name + ": " + strings.Join(points, ", ")
		if gv.HasTime {
			r.timeLine(m, timeX)
		}
		gv.Rows = append(gv.Rows, r)

		if q, ok := m.Ratios[unit]; ok {
			at, out := scale(q.Center)
			lo, _ := scale(q.Lo)
			hi, _ := scale(q.Hi)
			gv.Marks = append(gv.Marks, mark{
				series: r.series, X: pct(at), Line: span{pct(lo), pct(hi)}, Out: out,
				Text: r.Name + " " + format.Ratio(q.Center),
			})
			if !math.IsNaN(q.Floor) && !gv.HasBand {
				a, _ := scale(1 / (1 + q.Floor))
				b, _ := scale(1 + q.Floor)
				gv.Band, gv.HasBand = span{pct(a), pct(b - a)}, true
			}
		}
	}
	// Each mark has a line of its own, so that none hides another.
	gv.Height = max(30, 14+13*len(gv.Marks))
	for j := range gv.Marks {
		gv.Marks[j].Y = pct((float64(j) + 1) / float64(len(gv.Marks)+1))
	}
	var said []string
	for _, m := range gv.Marks {
		said = append(said, m.Text)
	}
	if len(said) == 0 {
		said = append(said, "no ratio, for a value of zero")
	}
	gv.Best = gv.CPUUnit + " relative to " + gv.Rows[0].Name + ": " + strings.Join(said, ", ")
	return gv
}

// number formats v, or says that there is none.
func number(v float64, f func(float64) string) string {
	if math.IsNaN(v) {
		return "–"
	}
	return f(v)
}

func text(m *compare.Member, unit string, f func(float64) string) string {
	v, ok := m.Median(unit)
	if !ok {
		return "–"
	}
	return f(v)
}

func ratio(g *compare.Group, m *compare.Member, unit string) ratioView {
	if m == g.Members[0] {
		for _, other := range g.Members[1:] {
			if r, ok := other.Ratios[unit]; ok && !math.IsNaN(r.Floor) {
				return ratioView{Text: "1", Interval: "± " + format.Percent(r.Floor), Same: true}
			}
		}
		return ratioView{Text: "1", Same: true}
	}
	r, ok := m.Ratios[unit]
	if !ok {
		return ratioView{Text: "–"}
	}
	return ratioOf(r)
}

func ratioOf(r compare.Ratio) ratioView {
	clear := r.Clear()
	return ratioView{
		Text: format.Ratio(r.Center), Interval: format.Ratio(r.Lo) + "–" + format.Ratio(r.Hi),
		Same: !clear, Better: clear && r.Center < 1, Worse: clear && r.Center > 1,
	}
}
