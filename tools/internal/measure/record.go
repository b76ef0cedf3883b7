// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// readRecords reads what the overlay's testing package wrote. A process that
// ran no benchmark wrote nothing.
func readRecords(path string) ([]record, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var recs []record
	for line := range strings.Lines(string(data)) {
		line, whole := strings.CutSuffix(line, "\n")
		if !whole {
			break // the process died while it wrote
		}
		kind, rest, _ := strings.Cut(line, " ")
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, fmt.Errorf("bad record %q", line)
		}
		name, _ := strconv.Unquote(quoted)
		fields := strings.Fields(rest[len(quoted):])
		switch kind {
		case "result":
			s, err := exactSample(fields)
			if err != nil {
				return nil, fmt.Errorf("bad record %q: %w", line, err)
			}
			recs = append(recs, record{kind, name, s})
		case "metric":
			if len(fields) != 2 || len(recs) == 0 {
				return nil, fmt.Errorf("bad record %q", line)
			}
			v, err := strconv.ParseFloat(fields[0], 64)
			if err != nil {
				return nil, fmt.Errorf("bad record %q: %w", line, err)
			}
			unit, err := strconv.Unquote(fields[1])
			if err != nil {
				return nil, fmt.Errorf("bad record %q: %w", line, err)
			}
			recs[len(recs)-1].sample.override(v, unit)
		case "gc":
			if len(recs) == 0 {
				return nil, fmt.Errorf("bad record %q", line)
			}
			if err := recs[len(recs)-1].sample.collections(fields); err != nil {
				return nil, fmt.Errorf("bad record %q: %w", line, err)
			}
		default:
			recs = append(recs, record{kind: kind, name: name})
		}
	}
	return recs, nil
}

// override sets a value that the benchmark reported itself: as in go test, it
// takes the place of the usual one of the same unit.
func (s *Sample) override(v float64, unit string) {
	i := slices.IndexFunc(s.Values, func(x benchfmt.Value) bool { return x.Unit == unit })
	switch {
	case i < 0:
		s.Values = append(s.Values, benchfmt.Value{Value: v, Unit: unit})
	case unit == NsPerOp && v == 0:
		s.Values = slices.Delete(s.Values, i, i+1) // go test leaves it out then
	default:
		s.Values[i].Value = v
	}
}

// collections reads the length of the window and, for each collection, END:PAUSE,
// all in ns.
func (s *Sample) collections(fields []string) error {
	if len(fields) == 0 {
		return errors.New("no window")
	}
	window, err := strconv.ParseUint(fields[0], 10, 63)
	if err != nil {
		return err
	}
	s.Window = time.Duration(window)
	for _, f := range fields[1:] {
		a, b, _ := strings.Cut(f, ":")
		end, err1 := strconv.ParseUint(a, 10, 63)
		pause, err2 := strconv.ParseUint(b, 10, 63)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		s.Collections = append(s.Collections, Collection{time.Duration(end), time.Duration(pause)})
	}
	return nil
}

// exactSample turns totals into values per operation.
func exactSample(fields []string) (Sample, error) {
	totals := make(map[string]uint64, len(fields))
	for _, f := range fields {
		k, v, _ := strings.Cut(f, "=")
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return Sample{}, err
		}
		totals[k] = n
	}
	n := float64(totals["n"])
	if n == 0 {
		return Sample{}, errors.New("no operation was run")
	}
	s := Sample{Iters: int(totals["n"]), Loop: totals["loop"] == 1, Race: totals["race"] == 1, Setup: totals["setup"], Idle: totals["idle"]}
	for _, f := range []struct {
		key, unit string
		per       float64
	}{
		{"ns", NsPerOp, n}, {"cpu", CPUPerOp, n}, {"bytes", BytesPerOp, n}, {"allocs", AllocsPerOp, n},
		{"coldbytes", ColdBytes, 1}, {"coldallocs", ColdAllocs, 1}, {"gcbytes", GCBytes, 1}, {"gcallocs", GCAllocs, 1},
		{"gcs", Cycles, n}, {"peak", PeakRSS, 1},
	} {
		if total, ok := totals[f.key]; ok {
			s.Values = append(s.Values, benchfmt.Value{Value: float64(total) / f.per, Unit: f.unit})
		}
	}
	if b, ns := totals["setbytes"], totals["ns"]; b > 0 && ns > 0 {
		s.Values = append(s.Values, benchfmt.Value{Value: float64(b) * n / 1e6 / (float64(ns) / 1e9), Unit: "MB/s"})
	}
	return s, nil
}

// readBenchfmt reads what go test prints, for a testing package without the
// overlay.
func readBenchfmt(r io.Reader) ([]record, error) {
	var recs []record
	for reader := benchfmt.NewReader(r, "benchmark output"); ; {
		if !reader.Scan() {
			return recs, reader.Err()
		}
		res, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue // what benchmarks print themselves may look like anything
		}
		name := "Benchmark" + string(res.Name.Full())
		if _, parts := res.Name.Parts(); len(parts) > 0 {
			if last := parts[len(parts)-1]; len(last) > 0 && last[0] == '-' {
				name = strings.TrimSuffix(name, string(last))
			}
		}
		s := Sample{Iters: res.Iters}
		for _, v := range res.Values {
			if v.OrigUnit != "" {
				v.Value, v.Unit = v.OrigValue, v.OrigUnit
			}
			s.Values = append(s.Values, benchfmt.Value{Value: v.Value, Unit: v.Unit})
		}
		recs = append(recs, record{"leaf", name, Sample{}}, record{"result", name, s})
	}
}
