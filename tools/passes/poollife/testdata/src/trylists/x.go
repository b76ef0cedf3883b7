package trylists // Channels that give nil where there is nothing serve as pools where all who take a value make one then.

type shelf struct{ idle chan any }

func newShelf(n int) *shelf {
	idle := make(chan any, n)
	for range n {
		idle <- &job{}
	}
	return &shelf{idle}
}

func (s *shelf) take() any {
	select {
	case v := <-s.idle:
		return v
	default:
		return nil
	}
}

func (s *shelf) back(v any) {
	select {
	case s.idle <- v:
	default:
	}
}

type job struct {
	name string
	size int
}

func takeJob(s *shelf) *job {
	j, ok := s.take().(*job)
	if !ok {
		j = new(job)
	}
	return j
}

func run(s *shelf, name string) int {
	j := takeJob(s)
	j.name, j.size = name, len(name)
	s.back(j)
	return j.size // want `j is read after it was put in the channel idle`
}

func runTwice(s *shelf, name string, fail bool) {
	j := takeJob(s)
	j.name = name
	if fail {
		s.back(j)
	}
	s.back(j) // want `j is put in the channel idle a second time`
}

func runRight(s *shelf, name string) int {
	j := takeJob(s)
	j.name, j.size = name, len(name)
	n := j.size
	s.back(j)
	return n
}

// Nobody makes one here where there is none: it is a queue.

type inbox struct{ in chan *job }

func (b *inbox) post(j *job) {
	select {
	case b.in <- j:
	default:
	}
}

func (b *inbox) poll() *job {
	select {
	case j := <-b.in:
		return j
	default:
		return nil
	}
}

func post(b *inbox, name string) int {
	j := &job{name: name}
	b.post(j)
	return len(j.name)
}

func work(b *inbox, f func(string)) {
	for j := b.poll(); j != nil; j = b.poll() {
		f(j.name)
	}
}

// And here one of two does.

type both struct{ in chan *job }

func (b *both) post(j *job) {
	select {
	case b.in <- j:
	default:
	}
}

func (b *both) poll() *job {
	select {
	case j := <-b.in:
		return j
	default:
		return nil
	}
}

func (b *both) next() *job {
	j := b.poll()
	if j == nil {
		j = &job{name: "idle"}
	}
	return j
}

func (b *both) drain(f func(string)) {
	for j := b.poll(); j != nil; j = b.poll() {
		f(j.name)
	}
}

func postBoth(b *both, name string) int {
	j := b.next()
	b.post(j)
	return len(j.name)
}
