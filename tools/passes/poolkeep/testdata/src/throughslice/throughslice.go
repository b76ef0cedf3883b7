package throughslice

import "sync"

type note struct {
	key, text string
	old       bool
}

type notes []note

// read sets the fields that come.
func (n *note) read(b []byte) []byte {
	for len(b) > 1 && b[0] != 0 {
		switch s := string(b[1:2]); b[0] {
		case 'k':
			n.key = s
		case 't':
			n.text = s
		case 'o':
			n.old = true
		}
		b = b[2:]
	}
	return b[min(1, len(b)):]
}

// Wrong: the elements that were there before have what they had.
func (z *notes) read(b []byte) {
	n := int(b[0])
	if cap(*z) >= n {
		*z = (*z)[:n]
	} else {
		*z = make(notes, n)
	}
	b = b[1:]
	for i := range *z {
		b = (*z)[i].read(b) // want `fields key, text, old of the note in a slice that is used again are set only where they apply`
	}
}

type request struct {
	notes notes
	path  string
}

var requests = sync.Pool{New: func() any { return new(request) }}

func serve(b []byte, show func(key, text string, old bool)) {
	r := requests.Get().(*request)
	r.notes.read(b)
	for _, n := range r.notes {
		show(n.key, n.text, n.old)
	}
	r.notes = r.notes[:0]
	r.path = ""
	if cap(r.notes) <= 64 {
		requests.Put(r)
	}
}

// Right: each element is emptied first.
type tag struct{ key, text string }

type tags []tag

func (t *tag) read(b []byte) []byte {
	if b[0] == 'k' {
		t.key = string(b[1:2])
	} else {
		t.text = string(b[1:2])
	}
	return b[2:]
}

func (z *tags) read(b []byte) {
	n := int(b[0])
	if cap(*z) >= n {
		*z = (*z)[:n]
	} else {
		*z = make(tags, n)
	}
	b = b[1:]
	for i := range *z {
		(*z)[i] = tag{}
		b = (*z)[i].read(b)
	}
}

type reply struct{ tags tags }

var replies = sync.Pool{New: func() any { return new(reply) }}

func answer(b []byte, show func(tags)) {
	r := replies.Get().(*reply)
	r.tags.read(b)
	show(r.tags)
	r.tags = r.tags[:0]
	if cap(r.tags) <= 64 {
		replies.Put(r)
	}
}
