// SPDX-License-Identifier: BSD-3-Clause

// Package cost measures what reuse costs beside what is reused: taking a value,
// making it as new, and putting it back, in a loop of nothing else. The unit of
// spare advise is the first row.
//
//	go test -run '^$' -bench . -count 5 ./bench/cost
//
// Where a row has the impl kept, that is the same work with a value that is never
// put back, or with encoding/json alone; the difference is the cost.
package cost
