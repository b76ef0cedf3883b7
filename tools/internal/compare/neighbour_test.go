// SPDX-License-Identifier: BSD-3-Clause

package compare_test

import (
	"math"
	"testing"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/measure"
)

func TestNeighbours(t *testing.T) {
	groups := compare.By([]*measure.Series{
		series("BenchmarkX/impl=a", 1, drift(100), drift(100, 0.99, 1.01)),
		series("BenchmarkX/impl=b", 1, drift(50), nil),
		series("BenchmarkX/impl=c", 1, drift(25), nil),
		series("BenchmarkY/impl=a", 1, drift(100), drift(100, 0.9, 1.1)),
		series("BenchmarkY/impl=b", 1, drift(50), nil),
		series("BenchmarkY/impl=c", 1, drift(52), nil), // within the noise floor
		series("BenchmarkZ/impl=a", 1, drift(1), nil),
		series("BenchmarkZ/impl=c", 1, drift(9), nil), // nothing to compare with
		series("BenchmarkAlone", 1, drift(1), nil),
	}, "impl")
	all := compare.Neighbours(groups)
	if len(all) != 1 {
		t.Fatalf("%+v, want one comparison: of c with b", all)
	}
	n := all[0]
	if n.Value != "c" || n.Before != "b" || n.Unit != measure.NsPerOp || len(n.Rows) != 2 || n.Less != 1 || n.Same != 1 || n.More != 0 {
		t.Errorf("%+v, want c with b: less in X, no clear difference in Y", n)
	}
	if want := math.Sqrt(0.5 * 1.04); !n.HasOverall || math.Abs(n.Overall.Center-want) > 1e-9 || math.Abs(n.Overall.Hi-want) > 1e-9 {
		t.Errorf("overall %+v, want %v without a spread: the rounds are paired", n.Overall, want)
	}
	if r := n.Rows[0]; r.Title != "X" || math.Abs(r.Center-0.5) > 1e-9 || r.Adjusted != 2*r.P {
		t.Errorf("%+v, want a half, corrected for two rows", r)
	}

	two := compare.By([]*measure.Series{
		series("BenchmarkX/impl=a", 1, drift(100), nil), series("BenchmarkX/impl=b", 1, drift(50), nil),
	}, "impl")
	if got := compare.Neighbours(two); len(got) != 0 {
		t.Errorf("%+v for two values: their ratio is in the table", got)
	}
}
