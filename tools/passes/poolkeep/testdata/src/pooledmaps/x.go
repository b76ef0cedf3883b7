// Package pooledmaps has pools of pointers to maps, which are emptied through them.
package pooledmaps

import (
	"encoding/json"
	"maps"
	"sync"
)

type attrs map[string]any

var taken = sync.Pool{New: func() any { m := attrs{}; return &m }}

func clearTaken(b []byte) (any, error) {
	m := taken.Get().(*attrs)
	defer taken.Put(m)
	clear(*m)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return (*m)["a"], nil
}

var put = sync.Pool{New: func() any { m := attrs{}; return &m }}

func clearPut(b []byte) (any, error) {
	m := put.Get().(*attrs)
	defer func() {
		clear(*m)
		put.Put(m)
	}()
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return (*m)["a"], nil
}

var byMethod = sync.Pool{New: func() any { m := attrs{}; return &m }}

func (m *attrs) reset() { clear(*m) }

func clearByMethod(b []byte) (any, error) {
	m := byMethod.Get().(*attrs)
	defer byMethod.Put(m)
	m.reset()
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return (*m)["a"], nil
}

var never = sync.Pool{New: func() any { m := attrs{}; return &m }}

func clearNever(b []byte) (any, error) {
	m := never.Get().(*attrs)
	defer never.Put(m)
	if err := json.Unmarshal(b, m); err != nil { // want `m, taken from never at line 55, is decoded into without a reset`
		return nil, err
	}
	return (*m)["a"], nil
}

var tooLate = sync.Pool{New: func() any { m := attrs{}; return &m }}

func clearTooLate(b []byte) (any, error) {
	m := tooLate.Get().(*attrs)
	defer tooLate.Put(m)
	if err := json.Unmarshal(b, m); err != nil { // want `m, taken from tooLate at line 66, is decoded into without a reset`
		return nil, err
	}
	x := (*m)["a"]
	clear(*m)
	return x, nil
}

// One by one.
type labels map[string]string

var deleted = sync.Pool{New: func() any { m := labels{}; return &m }}

func deleteTaken(b []byte) (string, error) {
	m := deleted.Get().(*labels)
	defer deleted.Put(m)
	for k := range *m {
		delete(*m, k)
	}
	if err := json.Unmarshal(b, m); err != nil {
		return "", err
	}
	return (*m)["a"], nil
}

type counts map[string]int

var deletedAll = sync.Pool{New: func() any { m := counts{}; return &m }}

func deleteAllTaken(b []byte) (int, error) {
	m := deletedAll.Get().(*counts)
	defer deletedAll.Put(m)
	maps.DeleteFunc(*m, func(string, int) bool { return true })
	if err := json.Unmarshal(b, m); err != nil {
		return 0, err
	}
	return (*m)["a"], nil
}
