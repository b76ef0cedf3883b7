// Package mapentries has pooled maps of slices that a decoder or the caller made.
package mapentries

import (
	"encoding/json"
	"io"
	"sync"
)

var messages = sync.Pool{New: func() any { return map[string]json.RawMessage{} }}

func messageOf(b []byte, name string) (json.RawMessage, error) {
	m := messages.Get().(map[string]json.RawMessage)
	defer func() {
		clear(m)
		messages.Put(m)
	}()
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	return m[name], nil
}

func firstMessage(r io.Reader) json.RawMessage {
	m := messages.Get().(map[string]json.RawMessage)
	clear(m)
	defer messages.Put(m)
	if json.NewDecoder(r).Decode(&m) != nil {
		return nil
	}
	for _, x := range m {
		if len(x) > 0 {
			return x
		}
	}
	return nil
}

func allMessages(b []byte) (map[string]json.RawMessage, error) {
	m := messages.Get().(map[string]json.RawMessage)
	clear(m)
	defer messages.Put(m)
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	return m, nil // want `m is returned while the deferred call puts it in messages`
}

func copyOfMessages(b []byte) (map[string]json.RawMessage, error) {
	m := messages.Get().(map[string]json.RawMessage)
	clear(m)
	defer messages.Put(m)
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	all := make(map[string]json.RawMessage, len(m))
	for k, x := range m {
		all[k] = x
	}
	return all, nil
}

// The map is in a parser.
type parser struct{ parts map[string][]string }

var parsers = sync.Pool{New: func() any { return &parser{parts: map[string][]string{}} }}

func (p *parser) parse(b []byte) error {
	clear(p.parts)
	return json.Unmarshal(b, &p.parts)
}

func partsOf(b []byte, name string) ([]string, error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	if err := p.parse(b); err != nil {
		return nil, err
	}
	parts, ok := p.parts[name]
	if !ok {
		return nil, io.EOF
	}
	return parts, nil
}

func (p *parser) all() map[string][]string { return p.parts }

func allParts(b []byte) (map[string][]string, error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	if err := p.parse(b); err != nil {
		return nil, err
	}
	return p.all(), nil // want `memory of p is returned while the deferred call puts it in parsers`
}

// Maps of maps.
var trees = sync.Pool{New: func() any { return map[string]map[string]int{} }}

func branch(b []byte, name string) (map[string]int, error) {
	m := trees.Get().(map[string]map[string]int)
	clear(m)
	defer trees.Put(m)
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	return m[name], nil
}

// Here the entries are filled again: they are the map's memory.
var columns = sync.Pool{New: func() any { return map[string][]byte{} }}

func column(name string, b []byte) []byte {
	m := columns.Get().(map[string][]byte)
	defer columns.Put(m)
	c := m[name][:0]
	c = append(c, b...)
	m[name] = c
	return m[name] // want `memory of .* is returned while the deferred call puts it in columns`
}

var rows = sync.Pool{New: func() any { return map[int][]int{} }}

func row(n int, x int) []int {
	m := rows.Get().(map[int][]int)
	defer rows.Put(m)
	if r := m[n]; len(r) > 0 {
		r[0] = x
	}
	return m[n] // want `memory of m is returned while the deferred call puts it in rows`
}

var lists = sync.Pool{New: func() any { return map[string][]int64{} }}

func list(name string, x int64) []int64 {
	m := lists.Get().(map[string][]int64)
	defer lists.Put(m)
	m[name] = append(m[name], x)
	return m[name] // want `memory of .* is returned while the deferred call puts it in lists`
}
