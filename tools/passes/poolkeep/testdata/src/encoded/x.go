// Package encoded sets fields where they apply, for readers out of view.
package encoded

import (
	"encoding/json"
	"sync"
)

type record struct {
	Name string
	ID   int
	Tags []string
}

type page struct{ Records []*record }

var (
	records = sync.Pool{New: func() any { return new(record) }}
	hiddens = sync.Pool{New: func() any { return new(hidden) }}
	cleared = sync.Pool{New: func() any { return new(clean) }}
	jobs    = sync.Pool{New: func() any { return new(job) }}
	public  = sync.Pool{New: func() any { return new(Job) }}
	flagged = sync.Pool{New: func() any { return new(flag) }}
	decs    = sync.Pool{New: func() any { return new(decoded) }}
)

func format(name string, id int, tags map[string][]string) *record {
	r := records.Get().(*record)
	r.Name, r.ID = name, id
	if t, ok := tags[name]; ok {
		r.Tags = t // want `field Tags of the record from a pool is set only where it applies`
	}
	return r
}

func encode(names []string, tags map[string][]string) ([]byte, error) {
	var p page
	for k, n := range names {
		p.Records = append(p.Records, format(n, k, tags))
	}
	b, err := json.Marshal(&p)
	for _, r := range p.Records {
		records.Put(r)
	}
	return b, err
}

// Nobody reads the field.
type hidden struct {
	Name string
	ID   int
	Tags []string `json:"-"`
}

func encodeHidden(name string, id int, tags map[string][]string) ([]byte, error) {
	h := hiddens.Get().(*hidden)
	defer hiddens.Put(h)
	h.Name, h.ID = name, id
	if t, ok := tags[name]; ok {
		h.Tags = t
	}
	return json.Marshal(h)
}

// Set either way.
type clean struct {
	Name string
	ID   int
	Tags []string
}

func encodeClean(name string, id int, tags map[string][]string) ([]byte, error) {
	c := cleared.Get().(*clean)
	defer cleared.Put(c)
	c.Name, c.ID = name, id
	if t, ok := tags[name]; ok {
		c.Tags = t
	} else {
		c.Tags = nil
	}
	return json.Marshal(c)
}

// A caller may set it.
type decoded struct {
	Name string
	ID   int
	Tags []string
}

func transcode(name string, fill func(any) error, tags map[string][]string) ([]byte, error) {
	d := decs.Get().(*decoded)
	defer decs.Put(d)
	d.Name, d.ID = name, 1
	if err := fill(d); err != nil {
		return nil, err
	}
	if t, ok := tags[name]; ok {
		d.Tags = t
	}
	return json.Marshal(d)
}

// Code out of view has the struct, but cannot set the field.
type options struct{ depth int }

type job struct {
	name string
	id   int
	o    *options
}

type runner interface{ Do(j *job) int }

func do(r runner, name string, id, depth int) int {
	j := jobs.Get().(*job)
	defer jobs.Put(j)
	j.name, j.id = name, id
	if depth > 0 {
		j.o = &options{depth} // want `field o of the job from a pool is set only where it applies`
	}
	n := r.Do(j)
	if j.o != nil {
		n += j.o.depth
	}
	return n
}

// This one it can set.
type Job struct {
	Name string
	ID   int
	O    *options
}

type Runner interface{ Do(j *Job) int }

func Do(r Runner, name string, id, depth int) int {
	j := public.Get().(*Job)
	defer public.Put(j)
	j.Name, j.ID = name, id
	if depth > 0 {
		j.O = &options{depth}
	}
	n := r.Do(j)
	if j.O != nil {
		n += j.O.depth
	}
	return n
}

// A flag tells whether it is set.
type flag struct {
	name string
	id   int
	has  bool
	o    *options
}

type flagRunner interface{ Do(j *flag) int }

func doFlagged(r flagRunner, name string, id, depth int) int {
	j := flagged.Get().(*flag)
	defer flagged.Put(j)
	j.name, j.id, j.has = name, id, false
	if depth > 0 {
		j.o = &options{depth}
		j.has = true
	}
	n := r.Do(j)
	if j.has {
		n += j.o.depth
	}
	return n
}
