package partly

import (
	"errors"
	"strconv"
	"sync"
)

// Wrong: what decides are fields that are set for each use.
type reading struct {
	text string
	mode int
	out  any
	errs []error
}

var readings = sync.Pool{New: func() any { return new(reading) }}

func newReading(text string) *reading {
	r := readings.Get().(*reading) // want `field out of the reading from a pool is set only where it applies`
	r.text = text
	r.errs = nil
	return r
}

func Number(text string) (any, error) {
	r := newReading(text)
	defer readings.Put(r) // want `still leads to what the last user set in errs`
	v := r.run(1)
	return v, errors.Join(r.errs...)
}

func (r *reading) run(mode int) any {
	r.mode = mode
	r.step()
	return r.out
}

func (r *reading) step() {
	if r.mode == 1 {
		n, err := strconv.Atoi(r.text)
		if err != nil {
			r.errs = append(r.errs, err)
			return
		}
		r.out = n
	}
}

// Right: the caller looks at the errors first.
type parsing struct {
	text string
	out  any
	err  error
}

var parsings = sync.Pool{New: func() any { return new(parsing) }}

func newParsing(text string) *parsing {
	r := parsings.Get().(*parsing)
	r.text = text
	r.err = nil
	return r
}

func Parsed(text string) (any, error) {
	r := newParsing(text)
	defer parsings.Put(r)
	v := r.run()
	if r.err != nil {
		return nil, r.err
	}
	return v, nil
}

func (r *parsing) run() any {
	r.step()
	return r.out
}

func (r *parsing) step() {
	n, err := strconv.Atoi(r.text)
	if err != nil {
		r.err = err
		return
	}
	r.out = n
}

// Right: a state that nobody sets says whether it is set.
type lazy struct {
	text string
	have bool
	out  any
}

var lazies = sync.Pool{New: func() any { return new(lazy) }}

func Lazy(text string) any {
	l := lazies.Get().(*lazy)
	defer lazies.Put(l)
	l.text = text
	return l.value()
}

func (l *lazy) value() any {
	if !l.have {
		l.out, l.have = l.text, true
	}
	return l.out
}

// Wrong: what decides is got from a struct that is set for each use.
type words struct {
	text string
	pos  int
}

func (w *words) next() string {
	start := w.pos
	for w.pos < len(w.text) && w.text[w.pos] != ' ' {
		w.pos++
	}
	return w.text[start:w.pos]
}

type sentence struct {
	words words
	verb  any
	errs  []error
}

var sentences = sync.Pool{New: func() any { return new(sentence) }}

func newSentence(text string) *sentence {
	s := sentences.Get().(*sentence) // want `field verb of the sentence from a pool is set only where it applies`
	s.words = words{text: text}
	s.errs = nil
	return s
}

func (s *sentence) run() any {
	s.step()
	return s.verb
}

func (s *sentence) step() {
	w := s.words.next()
	switch {
	case w == "":
		s.errs = append(s.errs, errors.New("empty"))
	default:
		s.verb = w
	}
}

func Verb(text string) (any, error) {
	s := newSentence(text)
	defer sentences.Put(s) // want `still leads to what the last user set in errs`
	return s.run(), errors.Join(s.errs...)
}

// Right: the words know whether there was a verb before.
type chapter struct {
	words words
	verb  any
}

var chapters = sync.Pool{New: func() any { return new(chapter) }}

func (c *chapter) run() any {
	if c.words.next() != "" {
		c.verb = c.words.pos
	}
	return c.verb
}

func Chapter(more string) any {
	c := chapters.Get().(*chapter)
	defer chapters.Put(c)
	c.words.text += more
	return c.run()
}
