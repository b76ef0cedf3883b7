package storealias

import (
	"strings"
	"sync"
)

// One slice behind two pools.

type scannedWords struct{ words []string }

var scannedPool = sync.Pool{New: func() any { return new(scannedWords) }}

func scanWords(text string, each func(words []string)) {
	s := scannedPool.Get().(*scannedWords)
	for w := range strings.FieldsSeq(text) {
		s.words = append(s.words, w)
	}
	each(s.words)
	clear(s.words)
	s.words = s.words[:0]
	scannedPool.Put(s)
}

type posting struct {
	doc   int
	terms []string
}

func (p *posting) clear() {
	p.doc = 0
	clear(p.terms)
	p.terms = p.terms[:0]
}

var postings = sync.Pool{New: func() any { return new(posting) }}

func putPosting(p *posting) {
	p.clear()
	postings.Put(p)
}

func index(text string, doc int, add func(*posting)) {
	scanWords(text, func(words []string) {
		p := postings.Get().(*posting)
		p.doc = doc
		p.terms = words // want `field terms is given a slice of a value that goes to scannedPool`
		add(p)
		putPosting(p)
	})
}

func indexCopied(text string, doc int, add func(*posting)) {
	scanWords(text, func(words []string) {
		p := postings.Get().(*posting)
		p.doc = doc
		p.terms = append(p.terms[:0], words...)
		add(p)
		putPosting(p)
	})
}

// The slice is taken out again.
func indexLent(text string, doc int, add func(*posting)) {
	scanWords(text, func(words []string) {
		p := postings.Get().(*posting)
		own := p.terms
		p.doc, p.terms = doc, words
		add(p)
		p.terms = own
		putPosting(p)
	})
}

// The pool of slices has the slice, too.

var termLists = sync.Pool{New: func() any { return make([]string, 0, 8) }}

func indexList(doc int, add func(*posting), terms ...string) {
	list := termLists.Get().([]string)[:0]
	p := postings.Get().(*posting)
	p.doc = doc
	for _, t := range terms {
		list = append(list, strings.ToLower(t))
	}
	p.terms = list // want `field terms is given a slice of a value that goes to termLists`
	add(p)
	putPosting(p)
	termLists.Put(list)
}

// Without a Put of its own, the slice is the struct's.
func indexGiven(doc int, add func(*posting), terms ...string) {
	p := postings.Get().(*posting)
	defer putPosting(p)
	list := make([]string, 0, len(terms))
	for _, t := range terms {
		list = append(list, strings.ToLower(t))
	}
	p.terms = list
	add(p)
}

// A view of somebody else's words goes to its pool without them.

type wordView struct{ words []string }

var wordViews = sync.Pool{New: func() any { return new(wordView) }}

func show(text string, draw func(*wordView)) {
	scanWords(text, func(words []string) {
		v := wordViews.Get().(*wordView)
		v.words = words
		draw(v)
		v.words = nil
		wordViews.Put(v)
	})
}

// The one who had the slice gets another for it.
func steal(text string, doc int, add func(*posting)) {
	s := scannedPool.Get().(*scannedWords)
	for w := range strings.FieldsSeq(text) {
		s.words = append(s.words, w)
	}
	p := postings.Get().(*posting)
	p.doc = doc
	p.terms, s.words = s.words, p.terms
	add(p)
	putPosting(p)
	s.words = s.words[:0]
	scannedPool.Put(s)
}

// Or gives it up.
func give(text string, doc int, add func(*posting)) {
	s := scannedPool.Get().(*scannedWords)
	for w := range strings.FieldsSeq(text) {
		s.words = append(s.words, w)
	}
	p := postings.Get().(*posting)
	p.doc = doc
	p.terms = s.words
	s.words = nil
	add(p)
	putPosting(p)
	scannedPool.Put(s)
}
