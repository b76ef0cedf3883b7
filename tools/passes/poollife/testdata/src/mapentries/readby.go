package mapentries

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"
	"sync"
)

// Entries that the standard library reads, and such that it writes to.

var tables = sync.Pool{New: func() any { return map[string]textCell{} }}

type textCell []byte

func cell(b []byte, name string) (textCell, error) {
	m := tables.Get().(map[string]textCell)
	clear(m)
	defer tables.Put(m)
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	if bytes.Contains(m[name], []byte(",")) {
		return nil, nil
	}
	return m[name], nil
}

type words []string

var wordMaps = sync.Pool{New: func() any { return map[int]words{} }}

func wordsAt(b []byte, n int) (words, error) {
	m := wordMaps.Get().(map[int]words)
	clear(m)
	defer wordMaps.Put(m)
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	if strings.Join(m[n], " ") == "" {
		return nil, nil
	}
	return m[n], nil
}

type marks []float64

var markMaps = sync.Pool{New: func() any { return map[int]marks{} }}

func sortedMarks(n int) marks {
	m := markMaps.Get().(map[int]marks)
	defer markMaps.Put(m)
	sort.Float64s(m[n])
	return m[n] // want `memory of m is returned while the deferred call puts it in markMaps`
}
