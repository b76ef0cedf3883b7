package storealias

import (
	"errors"
	"sync"
)

// Results that are written in place of what was passed in are the function's own until it returns.

type tag struct{ key, value string }

type sample struct{ tags []tag }

type tagged struct{ tags []tag }

var taggers = sync.Pool{New: func() any { return new(tagged) }}

func (t *tagged) with(in []sample, more ...tag) []sample {
	out, tags := in[:0], t.tags[:0]
	for _, s := range in {
		n := len(tags)
		tags = append(append(tags, s.tags...), more...)
		out = append(out, sample{tags: tags[n:]})
	}
	t.tags = tags
	return out
}

func emit(in []sample, write func(string, string)) {
	t := taggers.Get().(*tagged)
	for _, s := range t.with(in, tag{"from", "here"}) {
		for _, x := range s.tags {
			write(x.key, x.value)
		}
	}
	clear(t.tags)
	taggers.Put(t)
}

// Here the caller sees them: they are where it left its own.
func setTags(in []sample, more ...tag) {
	t := taggers.Get().(*tagged)
	tags := t.tags[:0]
	for i := range in {
		n := len(tags)
		tags = append(append(tags, in[i].tags...), more...)
		in[i].tags = tags[n:] // want `field tags keeps memory of t after the value was put in taggers`
	}
	t.tags = tags
	taggers.Put(t)
}

// What is appended to a parameter is behind what the caller has, who is given none of it where that fails.

type item struct{ b []byte }

var items = sync.Pool{New: func() any { return new(item) }}

func collect(out []*item, in [][]byte, most int) ([]*item, error) {
	n := 0
	var err error
	for _, b := range in {
		it := items.Get().(*item)
		it.b = append(it.b[:0], b...)
		out = append(out, it)
		if n += len(b); n > most {
			err = errMost
			break
		}
	}
	if err != nil {
		for _, it := range out {
			items.Put(it)
		}
		return nil, err
	}
	return out, nil
}

var errMost = errors.New("too much")
