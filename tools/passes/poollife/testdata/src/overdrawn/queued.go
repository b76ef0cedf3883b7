package overdrawn

import (
	"sync"
	"sync/atomic"
)

// A line is left in a queue, and released by who empties that.
type line struct {
	refs int32
	text [256]byte
}

var lines = sync.Pool{New: func() any { return new(line) }}

func newLine() *line {
	l := lines.Get().(*line)
	l.refs = 1
	return l
}

func (l *line) retain() { atomic.AddInt32(&l.refs, 1) }

func (l *line) release() {
	if atomic.AddInt32(&l.refs, -1) == 0 {
		lines.Put(l)
	}
}

type queue struct {
	mu    sync.Mutex
	lines []*line
}

func (q *queue) push(l *line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lines = append(q.lines, l)
}

func (q *queue) drain(write func([]byte)) {
	q.mu.Lock()
	list := q.lines
	q.lines = nil
	q.mu.Unlock()
	for _, l := range list {
		write(l.text[:])
		l.release()
	}
}

// Wrong: pushed and released
func (q *queue) log(s string) {
	l := newLine()
	copy(l.text[:], s)
	q.push(l)
	l.release() // want `the only reference to the line was left in lines before \(line 56\) and is given up again here`
}

// Wrong: appended and released
func (q *queue) logHere(s string) {
	l := newLine()
	copy(l.text[:], s)
	q.mu.Lock()
	q.lines = append(q.lines, l)
	q.mu.Unlock()
	l.release() // want `the only reference to the line was left in lines before \(line 65\) and is given up again here`
}

// Right: pushed with a reference of its own
func (q *queue) logCounted(s string) {
	l := newLine()
	copy(l.text[:], s)
	l.retain()
	q.push(l)
	l.release()
}

// Right: taken out again
func (q *queue) logFor(s string, f func()) {
	l := newLine()
	copy(l.text[:], s)
	q.push(l)
	f()
	q.take()
	l.release()
}

func (q *queue) take() {
	q.mu.Lock()
	q.lines = q.lines[:len(q.lines)-1]
	q.mu.Unlock()
}

// A job is in a list as long as it runs.
type job struct {
	refs atomic.Int32
	cmd  [64]byte
}

var jobs = sync.Pool{New: func() any { return new(job) }}

func newJob() *job {
	j := jobs.Get().(*job)
	j.refs.Store(1)
	return j
}

func (j *job) share() *job { j.refs.Add(1); return j }

func (j *job) release() {
	if j.refs.Add(-1) == 0 {
		jobs.Put(j)
	}
}

type runner struct {
	mu   sync.Mutex
	runs []*job
}

func (r *runner) add(j *job) {
	r.mu.Lock()
	r.runs = append(r.runs, j)
	r.mu.Unlock()
}

func (r *runner) remove(j *job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.runs {
		if r.runs[i] == j {
			r.runs = append(r.runs[:i], r.runs[i+1:]...)
			return
		}
	}
}

// Right: it is out of the list when it is released
func (r *runner) run(f func(*[64]byte)) {
	j := newJob()
	r.add(j)
	f(&j.cmd)
	r.remove(j)
	j.release()
}

// Right: the deferred call takes it out
func (r *runner) runDeferred(f func(*[64]byte)) {
	j := newJob()
	defer j.release()
	r.add(j)
	defer r.remove(j)
	f(&j.cmd)
}

func (r *runner) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.runs {
		j.release()
	}
	r.runs = nil
}

// A note is sent on channels of callers, of which nobody is in view.
type note struct {
	refs atomic.Int32
	text [64]byte
}

var notes = sync.Pool{New: func() any { return new(note) }}

func newNote() *note {
	n := notes.Get().(*note)
	n.refs.Store(1)
	return n
}

func (n *note) retain() { n.refs.Add(1) }

func (n *note) release() {
	if n.refs.Add(-1) == 0 {
		notes.Put(n)
	}
}

// Right: counted for the receiver
func notify(to chan<- *note, s string) {
	n := newNote()
	copy(n.text[:], s)
	n.retain()
	to <- n
	n.release()
}

// Wrong: not counted for the receiver
func notifyThen(to chan<- *note, s string, done func()) {
	n := newNote()
	copy(n.text[:], s)
	to <- n
	done()
	n.release() // want `the only reference to the note was sent before`
}

// Wrong: one reference for two receivers
func forward(from <-chan *note, a, b chan<- *note) {
	for n := range from {
		a <- n
		b <- n // want `the only reference to the note was sent before`
	}
}

// Right: a reference for the second
func forwardCounted(from <-chan *note, a, b chan<- *note) {
	for n := range from {
		n.retain()
		a <- n
		b <- n
	}
}
