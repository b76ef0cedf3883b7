package unemptied

import "sync"

// What a struct is made with was not gathered in use.

type alphabet struct {
	codes map[rune]int
	buf   []byte
}

var alphabets = sync.Pool{New: func() any { return newAlphabet("ab") }}

func newAlphabet(runes string) *alphabet {
	var a alphabet
	a.codes = make(map[rune]int, len(runes))
	for i, r := range runes {
		a.codes[r] = i
	}
	return &a
}

func codes(text string) (list []int) {
	a := alphabets.Get().(*alphabet)
	defer alphabets.Put(a)
	for _, r := range text {
		list = append(list, a.codes[r])
	}
	return list
}

// The same, but users add to it.

type vocabulary struct {
	words map[string]string
	text  string
}

type teacher interface{ teach(*vocabulary) }

var vocabularies = sync.Pool{New: func() any { return newVocabulary("a", "the") }}

func newVocabulary(words ...string) *vocabulary {
	var v vocabulary
	v.words = make(map[string]string, len(words))
	for _, w := range words {
		v.words[w] = words[0]
	}
	return &v
}

func wordsOf(teachers []teacher, text string, out func(string)) {
	v := vocabularies.Get().(*vocabulary)
	v.text = text
	for _, t := range teachers {
		t.teach(v)
	}
	for w := range v.words {
		out(w)
	}
	vocabularies.Put(v) // want `field words of the pooled vocabulary is filled in use`
}

type book struct{ title string }

func (b book) teach(v *vocabulary) { v.words[b.title] = v.text }
