package ownership

import "sync"

// A Job is lent to its handler; whoever took it puts it.
type Job struct {
	path string
	next int
	run  *Runner
}

type Runner struct {
	jobs  sync.Pool
	steps []func(*Job)
}

func (r *Runner) Serve(path string) {
	j := r.jobs.Get().(*Job)
	j.path, j.next, j.run = path, 0, r
	r.handle(j)
	r.jobs.Put(j)
}

func (r *Runner) handle(j *Job) {
	for ; j.next < len(r.steps); j.next++ {
		r.steps[j.next](j)
	}
}

func (r *Runner) Restart(j *Job) {
	j.next = 0
	r.handle(j)
	r.jobs.Put(j) // want `j is put here and again by who took it from the pool`
}

func (r *Runner) Rerun(j *Job) {
	n := j.next
	r.handle(j)
	j.next = n
}

func (j *Job) drop() {
	j.next = 1 << 20
	j.run.jobs.Put(j)
}

func (j *Job) skip() { j.next = 1 << 20 }

func guard(ok func(string) bool) func(*Job) {
	return func(j *Job) {
		if !ok(j.path) {
			j.drop() // want `j is put here and again by who took it from the pool`
		}
	}
}

func guardSkip(ok func(string) bool) func(*Job) {
	return func(j *Job) {
		if !ok(j.path) {
			j.skip()
		}
	}
}

// A Lease leaves its owner: AcquireLease's callers put it, or have it put.
type Lease struct{ n int }

var leases = sync.Pool{New: func() any { return new(Lease) }}

func AcquireLease() *Lease { return leases.Get().(*Lease) }

func With(f func(*Lease)) {
	l := AcquireLease()
	f(l)
	leases.Put(l)
}

func Use(l *Lease, f func(*Lease)) {
	f(l)
	leases.Put(l)
}

// A Turn may be kept by its handler, which says so.
type Turn struct{ kept bool }

var turns = sync.Pool{New: func() any { return new(Turn) }}

func play(h func(*Turn)) {
	t := turns.Get().(*Turn)
	t.kept = false
	h(t)
	if !t.kept {
		turns.Put(t)
	}
}

func Later(t *Turn, h func(*Turn)) {
	t.kept = true
	h(t)
	turns.Put(t)
}

// A Stage puts its argument in a literal that is called where it stands.
type Stage struct{ h func(*Stage) }

var stages = sync.Pool{New: func() any { return new(Stage) }}

func stage(h func(*Stage)) {
	s := stages.Get().(*Stage)
	defer func(s *Stage) { stages.Put(s) }(s)
	h(s)
}

// A handler that is a function type's method takes its functions along.
type Visit struct{ names []string }

var visits = sync.Pool{New: func() any { return new(Visit) }}

type VisitFunc func(*Visit)

func (f VisitFunc) Accept() {
	v := visits.Get().(*Visit)
	v.names = v.names[:0]
	f(v)
	visits.Put(v) // want `v is put in visits while the goroutine started at line .* may still use it`
}

var (
	_ = VisitFunc(func(v *Visit) { go func() { println(len(v.names)) }() })
	_ = VisitFunc(func(v *Visit) { n := len(v.names); go func() { println(n) }() })
)
