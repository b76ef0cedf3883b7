package vectors

import "sync"

type item struct{ labels map[string]string }

var itemLists, items sync.Pool

func putItems(v []*item) {
	for _, i := range v {
		items.Put(i)
	}
	v = v[:0]
	itemLists.Put(&v) // want `v is cut to length 0 \(line 13\) but not cleared`
}

func takeItems(n int) []*item {
	p, ok := itemLists.Get().(*[]*item)
	if !ok {
		return make([]*item, 0, n)
	}
	return *p
}

func useItems(n int) {
	list := takeItems(n)
	for range n {
		i, ok := items.Get().(*item)
		if !ok {
			i = &item{labels: map[string]string{}}
		}
		list = append(list, i)
	}
	putItems(list)
}

type name struct{ s *string }

var nameLists sync.Pool

func putNames(v []name) {
	clear(v)
	v = v[:0]
	nameLists.Put(&v)
}

var numbers0 sync.Pool

func putNumbers(v []int) {
	v = v[:0]
	numbers0.Put(&v)
}

// Elements of any type may be numbers.
type bag[T any] struct{ p sync.Pool }

func (b *bag[T]) put(v []T) {
	v = v[:0]
	b.p.Put(&v)
}
