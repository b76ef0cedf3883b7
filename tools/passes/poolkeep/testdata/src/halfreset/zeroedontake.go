package halfreset

import "sync"

type scan struct {
	words []string
	text  string
}

func (s *scan) all() {
	for len(s.text) > 0 {
		s.words = append(s.words, s.text[:1])
		s.text = s.text[1:]
	}
}

type scanner struct {
	scan  scan
	stack []string
}

var scans sync.Pool

// Whoever takes one sets it to zero first.
func wordsOf(text string) []string {
	p, ok := scans.Get().(*scanner)
	if !ok {
		p = &scanner{}
	} else {
		*p = scanner{}
	}
	defer scans.Put(p) // want `scans keeps p, put at line 32, whatever its size`
	s := &p.scan
	s.text = text
	s.all()
	return s.words
}

type lateScan struct {
	words []string
	text  string
}

func (s *lateScan) all() {
	for len(s.text) > 0 {
		s.words = append(s.words, s.text[:1]) // want `field words of p, taken from lateScans at line 60, is appended to as the last user left it`
		s.text = s.text[1:]
	}
}

type lateScanner struct {
	scan  lateScan
	stack []string
}

var lateScans = sync.Pool{New: func() any { return new(lateScanner) }}

// This one is set to zero for the Put, and not always.
func wordsLate(text string, last bool) (n int) {
	p := lateScans.Get().(*lateScanner)
	s := &p.scan
	s.text = text
	s.all()
	n = len(s.words)
	if last {
		*p = lateScanner{}
	}
	lateScans.Put(p) // want `lateScans keeps p, put at line 68, whatever its size`
	return n
}
