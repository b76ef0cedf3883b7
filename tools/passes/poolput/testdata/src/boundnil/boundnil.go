// SPDX-License-Identifier: BSD-3-Clause

package boundnil

import "sync"

var inks = sync.Pool{New: func() any { return new([256]byte) }}

type pen struct {
	ink  *[256]byte
	used int
}

func newPen() *pen { return &pen{ink: inks.Get().(*[256]byte)} }

func (p *pen) drop() {
	if p == nil || p.ink == nil {
		return
	}
	ink := p.ink
	p.ink = nil
	inks.Put(ink)
}

// Wrong: the receiver is nil where the defer stands.
func draw(lines []string, out func(*pen) bool) int {
	var p *pen
	defer p.drop() // want `the deferred call gets p as it is here, nil`
	for _, l := range lines {
		if p == nil {
			p = newPen()
		}
		p.used += copy(p.ink[p.used:], l)
		if out(p) {
			p = nil
		}
	}
	return len(lines)
}

// Right: the variable is read when the function ends.
func drawLate(lines []string, out func(*pen) bool) int {
	var p *pen
	defer func() { p.drop() }()
	for _, l := range lines {
		if p == nil {
			p = newPen()
		}
		p.used += copy(p.ink[p.used:], l)
		if out(p) {
			p = nil
		}
	}
	return len(lines)
}

// Right: it is set where the defer stands.
func drawOne(line string) int {
	var p *pen
	if p = newPen(); line != "" {
		p.used = copy(p.ink[:], line)
	}
	defer p.drop()
	return p.used
}

var sheets sync.Pool

func sheet() *[]int {
	if s, ok := sheets.Get().(*[]int); ok {
		return s
	}
	return new([]int)
}

func giveBack(s *[]int) {
	if s != nil {
		*s = (*s)[:0]
		sheets.Put(s)
	}
}

// Wrong: a function that takes nil.
func sum(vals [][]int) (n int) {
	var s *[]int
	defer giveBack(s) // want `the deferred call gets s as it is here, nil`
	for _, v := range vals {
		if len(v) == 0 {
			continue
		}
		if s == nil {
			s = sheet()
		}
		*s = append((*s)[:0], v...)
		n += len(*s)
	}
	return n
}

// Wrong: a variable that a function literal sets.
func sumEach(each func(func([]int))) (n int) {
	var s *[]int
	defer giveBack(s) // want `the deferred call gets s as it is here, nil`
	each(func(v []int) {
		if s == nil {
			s = sheet()
		}
		*s = append((*s)[:0], v...)
		n += len(*s)
	})
	return n
}

// Right: the literal has set it before.
func sumFirst(first func(func([]int))) (n int) {
	var s *[]int
	first(func(v []int) {
		s = sheet()
		*s = append((*s)[:0], v...)
		n += len(*s)
	})
	defer giveBack(s)
	return n
}

// Right: what is set later only is nil again.
func none(vals []int) int {
	var s *[]int
	defer giveBack(s)
	for range vals {
		s = nil
	}
	_ = s
	return len(vals)
}

type log struct{ n int }

func (l *log) end() {
	if l != nil {
		l.n++
	}
}

// Right: nothing is put.
func write(vals []int) int {
	var l *log
	defer l.end()
	l = new(log)
	l.n = len(vals)
	return l.n
}
