// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"bytes"
	"errors"
	"sync"
)

type word struct {
	kind int
	text string
}

type arena struct {
	words []word
	used  int
	line  []byte
}

var arenas = sync.Pool{New: func() any { return &arena{words: make([]word, 64), line: make([]byte, 0, 256)} }}

func (a *arena) word(kind int, text string) *word {
	w := &a.words[a.used]
	a.used++
	w.kind, w.text = kind, text
	return w
}

func (a *arena) cut(in string) (*word, error) {
	switch {
	case in == "":
		return a.word(0, ""), nil
	case in[0] == '!':
		return nil, errors.New("mark")
	}
	return a.word(1, in[:1]), nil
}

func (a *arena) cutAll(in string) ([]*word, error) {
	var list []*word
	for {
		w, err := a.cut(in)
		if err != nil {
			return nil, err
		}
		list = append(list, w)
		if w.kind == 0 {
			return list, nil
		}
		in = in[1:]
	}
}

func newArena() *arena {
	a := arenas.Get().(*arena)
	a.used = 0
	return a
}

type wordReader struct{ words []*word }

func (r *wordReader) first() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0].text
}

func wordsReadLate(in string) (string, error) {
	a := newArena()
	list, err := a.cutAll(in)
	arenas.Put(a)
	if err != nil {
		return "", err
	}
	r := wordReader{words: list}
	return r.first(), nil // want `a is read after it was put in arenas`
}

func wordsReadFirst(in string) (string, error) {
	a := newArena()
	defer arenas.Put(a)
	list, err := a.cutAll(in)
	if err != nil {
		return "", err
	}
	r := wordReader{words: list}
	return r.first(), nil
}

func wordsRangedLate(in string) (n int) {
	a := newArena()
	list := make([]*word, 0, len(in))
	for i := range in {
		list = append(list, a.word(1, in[i:i+1]))
	}
	arenas.Put(a)
	for _, w := range list {
		n += w.kind // want `a is read after it was put in arenas`
	}
	return n
}

func wordsByIndexLate(in string) string {
	a := newArena()
	list := make([]*word, len(in))
	for i := range in {
		list[i] = a.word(1, in[i:i+1])
	}
	arenas.Put(a)
	return list[len(in)-1].text // want `a is read after it was put in arenas`
}

func wordsByNameLate(in, name string) int {
	a := newArena()
	byName := map[string]*word{}
	for i := range in {
		byName[in[i:i+1]] = a.word(i, in[i:i+1])
	}
	arenas.Put(a)
	if w, ok := byName[name]; ok {
		return w.kind // want `a is read after it was put in arenas`
	}
	return 0
}

func wordsReturned(in string) []*word {
	a := newArena()
	defer arenas.Put(a)
	var list []*word
	for i := range in {
		list = append(list, a.word(1, in[i:i+1]))
	}
	return list // want `memory of a is returned while the deferred call puts it in arenas`
}

// The words are copied.
func wordsCopied(in string) string {
	a := newArena()
	var list []word
	for i := range in {
		list = append(list, *a.word(1, in[i:i+1]))
	}
	arenas.Put(a)
	return list[0].text
}

// The words that are pointed to are new.
func wordsNew(in string) string {
	a := newArena()
	var list []*word
	for i := range in {
		w := *a.word(1, in[i:i+1])
		list = append(list, &w)
	}
	arenas.Put(a)
	return list[0].text
}

// Some words are of another arena, which is not put.
func wordsOfTwo(in string, other *arena) string {
	a := newArena()
	list := []*word{other.word(0, "")}
	for i := range in {
		list = append(list, a.word(1, in[i:i+1]))
	}
	arenas.Put(a)
	return list[0].text
}

// Which words came before is not known.
func wordsAfterOthers(in string, others func() []*word) string {
	a := newArena()
	list := append(others()[:1:1], a.word(0, ""))
	list = append(list, a.word(1, in))
	arenas.Put(a)
	return list[0].text
}

func wordsSpread(in string, others []*word) string {
	a := newArena()
	var list []*word
	list = append(list, others...)
	list = append(list, a.word(1, in))
	arenas.Put(a)
	return list[0].text
}

// The list begins anew.
func wordsOfNext(in string, other *arena) string {
	a := newArena()
	var list []*word
	for i := range in {
		list = append(list, a.word(1, in[i:i+1]))
	}
	arenas.Put(a)
	list = list[:0]
	for i := range in {
		list = append(list, other.word(1, in[i:i+1]))
	}
	return list[0].text
}

// All were taken out of the list.
func wordsTaken(in string) string {
	a := newArena()
	list := []*word{a.word(1, in)}
	list[0] = nil
	arenas.Put(a)
	if list[0] == nil {
		return ""
	}
	return list[0].text
}

func wordsReturnedCopied(in string) []*word {
	a := newArena()
	defer arenas.Put(a)
	var list []*word
	for i := range in {
		list = append(list, &word{text: a.word(1, in[i:i+1]).text})
	}
	return list
}

func fieldsLate(in []byte) byte {
	a := newArena()
	a.line = append(a.line[:0], in...)
	var fields [][]byte
	for rest := a.line; len(rest) > 0; {
		at := bytes.IndexByte(rest, ' ')
		if at < 0 {
			break
		}
		fields = append(fields, rest[:at])
		rest = rest[at+1:]
	}
	arenas.Put(a)
	return fields[1][0] // want `a is read after it was put in arenas`
}

func fieldsCopied(in []byte) byte {
	a := newArena()
	a.line = append(a.line[:0], in...)
	var fields [][]byte
	for rest := a.line; len(rest) > 0; {
		at := bytes.IndexByte(rest, ' ')
		if at < 0 {
			break
		}
		fields = append(fields, bytes.Clone(rest[:at]))
		rest = rest[at+1:]
	}
	arenas.Put(a)
	return fields[1][0]
}
