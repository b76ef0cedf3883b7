package halfreset

import "sync"

type scan struct {
	words []string
	text  string
}

var scans sync.Pool

// Whoever takes one sets it to zero: what is returned is not what the next one finds.
func words(text string) []string {
	s, ok := scans.Get().(*scan)
	if !ok {
		s = &scan{}
	} else {
		*s = scan{}
	}
	defer scans.Put(s) // want `scans keeps values of any size`
	s.text = text
	for len(s.text) > 0 {
		s.words = append(s.words, s.text[:1])
		s.text = s.text[1:]
	}
	return s.words
}
