package scratchappend

import "strings"

func longest(text string) int {
	words := make([]string, 0, strings.Count(text, " ")+1) // site
	for w := range strings.FieldsSeq(text) {
		words = append(words, w)
	}
	best := 0
	for _, w := range words {
		best = max(best, len(w))
	}
	return best
}
