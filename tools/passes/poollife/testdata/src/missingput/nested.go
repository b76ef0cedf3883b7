package missingput

import "sync"

// What is appended may hold the value two structs down.

type leaf struct{ text string }

type variant struct{ leaf *leaf }

type pair struct {
	key   string
	value variant
}

var leaves = sync.Pool{New: func() any { return new(leaf) }}

func addPair(list *[]pair, key, text string) {
	l := leaves.Get().(*leaf)
	l.text = text
	*list = append(*list, pair{key: key, value: variant{leaf: l}})
}

func dropPairs(list *[]pair) {
	for _, p := range *list {
		leaves.Put(p.value.leaf)
	}
	*list = nil
}

func countPairs(texts []string) int {
	var list []pair
	for _, t := range texts {
		l := leaves.Get().(*leaf) // want `l, taken from leaves at line 34, is not put back on any path`
		l.text = t
		list = append(list, pair{key: l.text, value: variant{}})
	}
	return len(list)
}
