// SPDX-License-Identifier: BSD-3-Clause

package poolcost_test

import (
	"testing"

	"github.com/spare-go/spare/tools/internal/poolcost"
)

// The program builds whatever the environment asks of others, and what it finds
// is a cost: no clock says how large.
func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	t.Setenv("GOFLAGS", "-mod=vendor -tags=none")
	cost, err := poolcost.Measure(t.Context(), t.TempDir(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if cost[0] <= 0 || cost[1] < cost[0] {
		t.Errorf("cost %v, want a range above 0", cost)
	}
	if _, err := poolcost.Measure(t.Context(), t.TempDir(), t.TempDir(), []string{"PATH="}); err == nil {
		t.Error("no error without a go command to run")
	}
}
