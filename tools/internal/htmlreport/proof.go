// SPDX-License-Identifier: BSD-3-Clause

package htmlreport

import (
	"strconv"

	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/measure"
)

// A Proof puts what advise predicts for a benchmark beside what the other
// members of its group were measured to save: somebody has made changes there
// already, if not always the advised ones.
type Proof struct {
	Package   string            `json:"package"`
	Benchmark string            `json:"benchmark"`
	Predicted advise.Prediction `json:"predicted"`
	Measured  []Saved           `json:"measured"` // one for each other member

	group *compare.Group
	index int // of the group
}

// A Saved is what one member of a group saves against the first. CPU is the
// 95% interval over the rounds; Bytes and GCs are of the medians, and their two
// ends are equal.
type Saved struct {
	Value string `json:"value"`
	advise.Prediction
}

// Proofs returns those of the benchmarks for which there is a prediction, in
// the order of the groups.
func Proofs(groups []*compare.Group, r *advise.Report) []Proof {
	if r == nil {
		return nil
	}
	type id struct{ pkg, name string }
	predicted := make(map[id]*advise.Prediction)
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		predicted[id{b.Package, b.Name}] = b.Predicted
	}
	var all []Proof
	for i, g := range groups {
		base := g.Members[0]
		p := predicted[id{g.Package, base.FullName()}]
		if p == nil || len(g.Members) < 2 {
			continue
		}
		proof := Proof{Package: g.Package, Benchmark: base.FullName(), Predicted: *p, group: g, index: i}
		for _, m := range g.Members[1:] {
			s := Saved{Value: m.Value}
			s.Bytes = saved(base, m, measure.BytesPerOp)
			s.GCs = saved(base, m, measure.Cycles)
			r, ok := m.Ratios[measure.CPUPerOp]
			if s.NoCPU = !ok; ok {
				s.CPU = [2]float64{1 - r.Hi, 1 - r.Lo}
			}
			proof.Measured = append(proof.Measured, s)
		}
		all = append(all, proof)
	}
	return all
}

// saved returns the fraction of the base's median that m does without; 0 where
// there is nothing to save.
func saved(base, m *compare.Member, unit string) [2]float64 {
	a, ok1 := base.Median(unit)
	b, ok2 := m.Median(unit)
	if !ok1 || !ok2 || a <= 0 {
		return [2]float64{}
	}
	return [2]float64{1 - b/a, 1 - b/a}
}

// A proofView is a Proof in words: a row for the prediction, and one for each
// measurement.
type proofView struct {
	ID, Title       string
	Bytes, GCs, CPU string
	Rows            []proofRow
}

type proofRow struct {
	series
	Bytes, GCs, CPU string
}

func proofViews(proofs []Proof, classes []series) []proofView {
	var all []proofView
	for _, p := range proofs {
		v := proofView{ID: "g" + strconv.Itoa(p.index), Title: p.group.Title}
		v.Bytes, v.GCs, v.CPU = Savings(p.Predicted)
		for _, m := range p.Measured {
			row := proofRow{series: classOf(classes, m.Value)}
			row.Bytes, row.GCs, row.CPU = Savings(m.Prediction)
			v.Rows = append(v.Rows, row)
		}
		all = append(all, v)
	}
	return all
}

// Savings formats what is saved of bytes, collections and CPU time.
func Savings(p advise.Prediction) (bytes, gcs, cpu string) {
	bytes, gcs, cpu = Saving(p.Bytes), Saving(p.GCs), Saving(p.CPU)
	if p.NoCPU {
		cpu = "?"
	}
	return bytes, gcs, cpu
}
