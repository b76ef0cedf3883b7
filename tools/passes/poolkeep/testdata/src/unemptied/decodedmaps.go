package unemptied

import (
	"encoding/json"
	"sync"
)

// A map in a pooled struct that a decoder adds to: the keys that its input lacks are the last user's.

type settings struct {
	mu     sync.RWMutex
	Values map[string]any
}

var settingsPool = sync.Pool{New: func() any { return &settings{Values: map[string]any{}} }}

func takeSettings() *settings {
	if s, ok := settingsPool.Get().(*settings); ok {
		return s
	}
	panic("not settings")
}

// Nobody calls it.
func (s *settings) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.Values)
}

func (s *settings) set(key string, v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Values == nil {
		s.Values = map[string]any{}
	}
	s.Values[key] = v
}

func change(raw []byte, key string, v any) ([]byte, error) {
	s := takeSettings()
	defer settingsPool.Put(s) // want `field Values of the pooled settings is filled in use \(line 37\) and never emptied`
	if raw != nil {
		if err := json.Unmarshal(raw, &s.Values); err != nil {
			return nil, err
		}
	}
	s.set(key, v)
	return json.Marshal(s.Values)
}

type labels struct{ of map[string]string }

var labelsPool = sync.Pool{New: func() any { return &labels{of: map[string]string{}} }}

func relabel(dec *json.Decoder, enc *json.Encoder) error {
	l := labelsPool.Get().(*labels)
	defer labelsPool.Put(l) // want `field of of the pooled labels is filled in use \(line 59\) and never emptied`
	if err := dec.Decode(&l.of); err != nil {
		return err
	}
	return enc.Encode(l.of)
}

// Emptied by whoever takes it, by its method.

type choices struct{ of map[string]string }

func (c *choices) reset() { clear(c.of) }

var choicesPool = sync.Pool{New: func() any { return &choices{of: map[string]string{}} }}

func choose(dec *json.Decoder, enc *json.Encoder) error {
	c := choicesPool.Get().(*choices)
	defer choicesPool.Put(c)
	c.reset()
	if err := dec.Decode(&c.of); err != nil {
		return err
	}
	return enc.Encode(c.of)
}

// Made anew for each input: the test for nil beside it changes nothing of that.

type claims struct{ of map[string]any }

var claimsPool = sync.Pool{New: func() any { return new(claims) }}

func (c *claims) add(k string, v any) {
	if c.of == nil {
		c.of = map[string]any{}
	}
	c.of[k] = v
}

func claim(raw []byte, enc *json.Encoder) error {
	c := claimsPool.Get().(*claims)
	defer claimsPool.Put(c)
	c.of = make(map[string]any, 4)
	if err := json.Unmarshal(raw, &c.of); err != nil {
		return err
	}
	c.add("seen", true)
	return enc.Encode(c.of)
}

// Let go of where it is put.

type grants struct{ of map[string]any }

var grantsPool = sync.Pool{New: func() any { return new(grants) }}

func grant(raw []byte, enc *json.Encoder) error {
	g := grantsPool.Get().(*grants)
	defer func() {
		g.of = nil
		grantsPool.Put(g)
	}()
	if err := json.Unmarshal(raw, &g.of); err != nil {
		return err
	}
	return enc.Encode(g.of)
}
