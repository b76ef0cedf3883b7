// Package reset empties slices.
package reset

type Row struct {
	Name string
	V    float64
}

// Rows is no function of one statement: what it gives is not known to others.
func Rows(r []Row) []Row {
	clear(r)
	return r[:0]
}
