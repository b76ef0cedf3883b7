package jars

import "sync"

// A Jar is set back by the package that it goes back to.
type Jar struct {
	name []byte
	max  int
}

var jars = sync.Pool{New: func() any { return new(Jar) }}

func Take() *Jar { return jars.Get().(*Jar) }

func Release(j *Jar) {
	j.name, j.max = j.name[:0], 0
	jars.Put(j)
}

func (j *Jar) Add(s string)     { j.name = append(j.name, s...) }
func (j *Jar) SetMaxSize(n int) { j.max = n }
func (j *Jar) String() string   { return string(j.name[:min(len(j.name), j.max)]) }
