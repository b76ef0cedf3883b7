package lostvalues

import (
	"log"
	"sync"
)

type amendment struct{ data []byte }

type revision struct {
	index   uint64
	changes []*amendment
}

var revisions = sync.Pool{New: func() any { return new(revision) }}

func (c *revision) release() {
	c.index, c.changes = 0, nil
	revisions.Put(c)
}

type chronicle struct {
	queue   chan *revision
	applied uint64
}

func (j *chronicle) add(index uint64, changes []*amendment) {
	c := revisions.Get().(*revision)
	c.index, c.changes = index, changes
	j.queue <- c
}

// Wrong: who gets the list that the commit has does not have the commit.
func (j *chronicle) run(quit <-chan struct{}, apply func([]*amendment) error) {
	for {
		select { // want `what is received from queue was taken from revisions and is put on other paths`
		case <-quit:
			return
		case c := <-j.queue:
			if err := apply(c.changes); err == nil {
				j.applied = max(j.applied, c.index)
				c.release()
			} else {
				log.Print(err)
			}
		}
	}
}

type gazette struct {
	queue  chan *revision
	failed []error
}

func (l *gazette) add(index uint64, changes []*amendment) {
	c := revisions.Get().(*revision)
	c.index, c.changes = index, changes
	l.queue <- c
}

// Who is given the commit itself may keep it.
func (l *gazette) run(quit <-chan struct{}, apply func(*revision) error) {
	for {
		select {
		case <-quit:
			return
		case c := <-l.queue:
			if err := apply(c); err == nil {
				c.release()
			} else {
				l.failed = append(l.failed, err)
			}
		}
	}
}
