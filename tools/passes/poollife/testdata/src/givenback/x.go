// Package givenback uses objects of another package that hold values out of its pools.
package givenback

import "givenback/tree"

// Right: nothing gives a root back.
func sum(list []int) int {
	t := tree.New()
	for _, n := range list {
		t.Add(n)
	}
	return t.Sum()
}

func sumUntil(list []int, end int) (int, bool) {
	t := tree.New()
	for _, n := range list {
		if n == end {
			return 0, false
		}
		t.Add(n)
	}
	return t.Sum(), true
}

// Wrong: Close does.
func text(list []string) string {
	t := tree.NewText() // want `t, taken from pages at line .*, is not put back on any path`
	for _, s := range list {
		t.Add(s)
	}
	return t.String()
}

func textUntil(list []string, end string) string {
	t := tree.NewText() // want `t, taken from pages at line .*, is not put back on the path that ends here`
	for _, s := range list {
		if s == end {
			return ""
		}
		t.Add(s)
	}
	s := t.String()
	t.Close()
	return s
}
