package unemptied

import "sync"

// A cut to length 0 clears nothing, where the next user asks for a length again.

type sales struct{ perShop []float64 }

var salesPool sync.Pool

func takeSales(shops int) *sales {
	if x := salesPool.Get(); x != nil {
		s := x.(*sales)
		if cap(s.perShop) >= shops {
			s.perShop = s.perShop[:shops]
			return s
		}
	}
	return &sales{perShop: make([]float64, shops)}
}

func (s *sales) giveBack() {
	s.perShop = s.perShop[:0]
	if cap(s.perShop) < 1<<10 {
		salesPool.Put(s) // want `the elements of field perShop of the pooled sales are added to .* and never cleared`
	}
}

func shares(shops []int, paid []float64, n int) []float64 {
	s := takeSales(n)
	defer s.giveBack()
	perShop := s.perShop
	all := 0.0
	for i, shop := range shops {
		perShop[shop] += paid[i]
		all += paid[i]
	}
	out := make([]float64, n)
	for i, sum := range perShop {
		out[i] = sum / all
	}
	return out
}

// The bits of a set, with room made behind what there is.

type oddSet struct{ words []uint64 }

var oddSets = sync.Pool{New: func() any { return new(oddSet) }}

func (s *oddSet) begin(n int) {
	if more := n - cap(s.words); more > 0 {
		s.words = append(s.words[:cap(s.words)], make([]uint64, more)...)
	}
	s.words = s.words[:n]
}

func (s *oddSet) add(k int) { s.words[k/64] |= 1 << (k % 64) }

func (s *oddSet) empty() { s.words = s.words[:0] }

func countOnce(list []int, n int) (once int) {
	s := oddSets.Get().(*oddSet)
	s.begin(n/64 + 1)
	for _, k := range list {
		if s.words[k/64]>>(k%64)&1 == 0 {
			once++
		}
		s.add(k)
	}
	s.empty()
	if cap(s.words) < 1<<10 {
		oddSets.Put(s) // want `the elements of field words of the pooled oddSet are added to .* and never cleared`
	}
	return once
}

// Who takes it clears what it uses of it.

type visits struct{ perDay []int }

var visitsPool = sync.Pool{New: func() any { return new(visits) }}

func takeVisits(days int) *visits {
	v := visitsPool.Get().(*visits)
	if cap(v.perDay) < days {
		v.perDay = make([]int, days)
	}
	v.perDay = v.perDay[:days]
	return v
}

func busiest(log []int, days int) (best int) {
	v := takeVisits(days)
	perDay := v.perDay
	clear(perDay)
	for _, d := range log {
		perDay[d]++
	}
	for d, n := range perDay {
		if n > perDay[best] {
			best = d
		}
	}
	v.perDay = v.perDay[:0]
	if cap(v.perDay) < 1<<10 {
		visitsPool.Put(v)
	}
	return best
}

// Zeros are appended after the cut.

type tides struct{ perHour []int }

var tidesPool = sync.Pool{New: func() any { return new(tides) }}

func highest(log []int, hours int) (top int) {
	t := tidesPool.Get().(*tides)
	t.perHour = append(t.perHour, make([]int, hours)...)
	for k, h := range log {
		t.perHour[k%hours] += h
	}
	for _, h := range t.perHour {
		top = max(top, h)
	}
	t.perHour = t.perHour[:0]
	if cap(t.perHour) < 1<<10 {
		tidesPool.Put(t)
	}
	return top
}

// Each element is zero again when it was read.

type daySums struct{ sums []int }

var daySumsPool = sync.Pool{New: func() any { return new(daySums) }}

func takeDaySums(n int) *daySums {
	q := daySumsPool.Get().(*daySums)
	if cap(q.sums) < n {
		q.sums = make([]int, n)
	}
	q.sums = q.sums[:n]
	return q
}

func total(in []int, n int) (all int) {
	q := takeDaySums(n)
	for k, x := range in {
		q.sums[k%n] += x
	}
	for k := range q.sums {
		all += q.sums[k]
		q.sums[k] = 0
	}
	q.sums = q.sums[:0]
	if cap(q.sums) < 1<<10 {
		daySumsPool.Put(q)
	}
	return all
}
