package returnalias

import "sync"

type scan struct {
	words []string
	text  string
}

var scans sync.Pool

// Whoever takes one sets it to zero: what is returned is not what the next one finds.
func wordsOf(text string) []string {
	s, ok := scans.Get().(*scan)
	if !ok {
		s = &scan{}
	} else {
		*s = scan{}
	}
	defer scans.Put(s)
	s.text = text
	for len(s.text) > 0 {
		s.words = append(s.words, s.text[:1])
		s.text = s.text[1:]
	}
	return s.words
}

var scans2 sync.Pool

// Here the next one adds to the same slice.
func wordsOf2(text string) []string {
	s, ok := scans2.Get().(*scan)
	if !ok {
		s = &scan{}
	}
	s.words = s.words[:0]
	defer scans2.Put(s)
	s.text = text
	for len(s.text) > 0 {
		s.words = append(s.words, s.text[:1])
		s.text = s.text[1:]
	}
	return s.words // want `memory of s is returned while the deferred call puts it in scans2`
}

var scans3 sync.Pool

// Nor is it the next one who sets this to zero: this one does, now and then, when it has taken what it returns.
func wordsOf3(text string, last bool) []string {
	s := scans3.Get().(*scan)
	defer scans3.Put(s)
	s.text = text
	for len(s.text) > 0 {
		s.words = append(s.words, s.text[:1])
		s.text = s.text[1:]
	}
	words := s.words
	if last {
		*s = scan{}
	}
	return words // want `memory of s is returned while the deferred call puts it in scans3`
}

type rule struct{ name string }

type lexed struct {
	text  string
	rules []*rule
	preds []*rule
}

func (l *lexed) all() {
	for len(l.text) > 0 {
		l.rules = append(l.rules, &rule{l.text[:1]})
		l.text = l.text[1:]
	}
}

type lexing struct{ lexed lexed }

var lexings sync.Pool

// The same, filled by code that is not in view.
func rulesOf(text string, all func(*lexed)) ([]*rule, []*rule) {
	p, ok := lexings.Get().(*lexing)
	if !ok {
		p = &lexing{}
	} else {
		*p = lexing{}
	}
	defer lexings.Put(p)
	l := &p.lexed
	l.text = text
	all(l)
	return l.rules, l.preds
}
