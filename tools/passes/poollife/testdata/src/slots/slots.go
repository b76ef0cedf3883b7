package slots // What is left over: slots that are told by a number, values of which there are no more, Puts that wait for the end of a loop, references that nobody gives up; and pools that are shared by closures.

import (
	"context"
	"os"
)

// The numbers of the slots that are free wait in a channel.
type table struct {
	free  chan int
	slots []string
}

func newTable(n int) *table {
	t := &table{free: make(chan int, n), slots: make([]string, n)}
	for i := range t.slots {
		t.free <- i
	}
	return t
}

func (t *table) load(ctx context.Context, path string) (int, error) {
	select {
	case i := <-t.free: // want `the number taken from the channel free is not sent back on the path that ends here`
		b, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		t.slots[i] = string(b)
		return i, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (t *table) take(ctx context.Context) (int, error) {
	select {
	case i := <-t.free:
		return i, nil
	case <-ctx.Done():
		return -1, ctx.Err()
	}
}

func (t *table) loadTaken(ctx context.Context, path string) (int, error) {
	i, err := t.take(ctx) // want `the number taken from the channel free is not sent back on the path that ends here`
	if err != nil {
		return 0, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	t.slots[i] = string(b)
	return i, nil
}

func (t *table) loadOrGive(ctx context.Context, path string) (int, error) {
	i, err := t.take(ctx)
	if err != nil {
		return 0, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.give(i)
		return 0, err
	}
	t.slots[i] = string(b)
	return i, nil
}

func (t *table) useTaken(ctx context.Context, path string) error {
	i, err := t.take(ctx)
	if err != nil {
		return err
	}
	defer t.give(i)
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	t.slots[i] = string(b)
	return nil
}

func (t *table) useAt(path string) error {
	i := <-t.free
	defer func() { t.free <- i }()
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	t.slots[i] = string(b)
	return nil
}

func (t *table) give(i int) {
	t.slots[i] = ""
	t.free <- i
}

// Tokens are alike: which one comes back does not matter.
type sem struct{ ch chan int }

func newSem(n int) *sem {
	s := &sem{make(chan int, n)}
	for i := 0; i < n; i++ {
		s.ch <- 1
	}
	return s
}

func (s *sem) do(path string) error {
	<-s.ch
	_, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.ch <- 1
	return nil
}

// Numbers of work to be done do not come back.
type jobs struct{ ch chan int }

func (j *jobs) fill(n int) {
	j.ch = make(chan int, n)
	for i := 0; i < n; i++ {
		j.ch <- i
	}
}

func (j *jobs) work(path string, again bool) error {
	n := <-j.ch
	if _, err := os.ReadFile(path); err != nil {
		return err
	}
	println(n)
	return nil
}
