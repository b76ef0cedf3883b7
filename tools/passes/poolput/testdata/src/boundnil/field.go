// SPDX-License-Identifier: BSD-3-Clause

package boundnil

type page struct {
	rows  *[]int
	total int
}

// Wrong: the field is set by the function that is given the struct, when the defer has its nil.
func render(vals []int) int {
	p := &page{}
	defer giveBack(p.rows) // want `the deferred call gets rows as it is here, nil`
	p.fill(vals)
	return p.total
}

func (p *page) fill(vals []int) {
	p.rows = sheet()
	*p.rows = append((*p.rows)[:0], vals...)
	for _, v := range *p.rows {
		p.total += v
	}
}

// Wrong, and reported where the value is taken: the walk sees that the function loses it (poollife).
func renderSome(vals []int, some bool) int {
	p := &page{total: 1}
	defer giveBack(p.rows)
	if some {
		p.rows = sheet()
		*p.rows = append((*p.rows)[:0], vals...)
		p.total += len(*p.rows)
	}
	return p.total
}

// Right: the field is read when the function ends.
func renderLate(vals []int) int {
	p := &page{}
	defer func() { giveBack(p.rows) }()
	p.fill(vals)
	return p.total
}

// Right: it is filled where the defer stands.
func renderFilled(vals []int) int {
	p := &page{}
	p.fill(vals)
	defer giveBack(p.rows)
	return p.total
}

// Right: the struct was made with it.
func renderMade(vals []int) int {
	p := &page{rows: sheet()}
	defer giveBack(p.rows)
	p.total = copy((*p.rows)[:cap(*p.rows)], vals)
	return p.total
}

// Right: somebody else may have filled it, and nobody sets it later.
func renderGiven(p *page, vals []int) int {
	defer giveBack(p.rows)
	p.total = len(vals)
	return p.total
}
