// SPDX-License-Identifier: BSD-3-Clause

package htmlreport

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/format"
)

// The page shows this many sites, and of those that are not worth a change only
// such as have a share of the traffic; the twins have all.
const (
	maxSites = 60
	minShare = 0.01
)

// A siteView is an advise.Site in words.
type siteView struct {
	ID                           string
	Rank                         int
	Where, Func, What, Benchmark string
	Bytes, Objects, Share, Class string
	Bar                          string // width of the share's bar, in rem
	Verdict, VerdictClass        string
	PredBytes, PredCPU, PredGCs  string
	MeasBytes, MeasCPU, MeasGCs  string
	Predicted, Measured          bool
	Escape, Lines                []string
	Lifetime, Advice, Try        string
}

func sites(r *advise.Report) (views []siteView, more int) {
	if r == nil {
		return nil, 0
	}
	several := false // values of GOMAXPROCS
	for _, b := range r.Benchmarks {
		several = several || procs(b.Name) != procs(r.Benchmarks[0].Name)
	}
	for i, s := range r.Sites {
		idle := s.Verdict == advise.NotWorth || s.Verdict == advise.OnStack
		if len(views) == maxSites || idle && s.Share < minShare || s.Noise != "" {
			more++
			continue
		}
		v := siteView{
			ID: "site" + strconv.Itoa(i+1), Rank: i + 1,
			Where: where(s), Func: function(s.Func), What: s.What, Benchmark: strings.TrimPrefix(s.Benchmark, "Benchmark"),
			Bytes: format.Bytes(s.Traffic.Bytes), Objects: format.Count(s.Traffic.Objects),
			Share: format.Percent(s.Share), Bar: strconv.FormatFloat(3*min(1, max(0, s.Share)), 'f', 2, 64),
			Verdict: s.Verdict, VerdictClass: verdictClass(s.Verdict),
			Escape: s.Escape, Lines: s.Lines, Lifetime: s.Lifetime, Advice: s.Advice,
		}
		if s.Verdict == advise.PoolIt || s.Verdict == advise.FixEscape {
			v.Try = s.Try // of others it is that nothing was tried
		}
		if !several {
			v.Benchmark = strings.TrimSuffix(v.Benchmark, procs(v.Benchmark))
		}
		if s.Traffic.Per != "" {
			v.Bytes += "/" + s.Traffic.Per
			v.Objects += "/" + s.Traffic.Per
		}
		if s.Size > 0 {
			v.Class = fmt.Sprintf("%s in a class of %s", format.Bytes(float64(s.Size)), format.Bytes(float64(s.ClassSize)))
			if s.Waste > 0 {
				v.Class += fmt.Sprintf(", %s of it lost", format.Percent(s.Waste))
			}
		}
		if p := s.Predicted; p != nil {
			v.Predicted = true
			v.PredBytes, v.PredGCs, v.PredCPU = Savings(*p)
		}
		if p := s.Measured; p != nil {
			v.Measured = true
			v.MeasBytes, v.MeasGCs, v.MeasCPU = Savings(*p)
		}
		views = append(views, v)
	}
	return views, more
}

// procs is the suffix of a benchmark's name that tells GOMAXPROCS, or "".
func procs(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return ""
	}
	if _, err := strconv.Atoi(name[i+1:]); err != nil {
		return ""
	}
	return name[i:]
}

// where is the position of a site: without the directory, unless that is
// relative, and so means something to the reader.
func where(s advise.Site) string {
	if filepath.IsAbs(s.File) {
		s.File = filepath.Base(s.File)
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(s.File), s.Line)
}

// function shortens a function's name as pprof has it: the import path goes.
func function(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 && !strings.Contains(name[i:], "[") {
		name = name[i+1:]
	}
	return name
}

func verdictClass(verdict string) string {
	switch verdict {
	case advise.PoolIt:
		return "v pool"
	case advise.FixEscape:
		return "v fix"
	}
	return "v"
}

// Saving formats a range of fractions that are saved.
func Saving(r [2]float64) string {
	lo, hi := percent(r[0]), percent(r[1])
	if lo == hi {
		return hi + "%"
	}
	return lo + " to " + hi + "%"
}

func percent(f float64) string {
	p := 100 * f
	if p > -0.05 && p < 0.05 {
		return "0"
	}
	if p > -10 && p < 10 && p != 0 {
		return strconv.FormatFloat(p, 'f', 1, 64)
	}
	return strconv.FormatFloat(p, 'f', 0, 64)
}
