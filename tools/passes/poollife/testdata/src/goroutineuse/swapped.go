package goroutineuse

import (
	"bufio"
	"sync"
)

// Buffers that change places: each belongs to the object that it is in now.

type frameJob struct {
	data []byte
	done func()
}

var (
	frameJobs  = sync.Pool{New: func() any { return new(frameJob) }}
	frameQueue = make(chan *frameJob, 8)
)

func encodeFrames(sum func([]byte)) {
	for j := range frameQueue {
		sum(j.data)
		j.done()
		j.data = j.data[:0]
		j.done = nil
		frameJobs.Put(j)
	}
}

type frameReader struct {
	src  *bufio.Reader
	next []byte
	left sync.WaitGroup
}

func (r *frameReader) more() bool {
	r.next = r.next[:0]
	for len(r.next) < 512 {
		part, err := r.src.ReadSlice(0)
		r.next = append(r.next, part...)
		if err != nil {
			return false
		}
	}
	return true
}

// The job gets the buffer that is full, and its own is filled next.
func (r *frameReader) exchange() {
	for r.more() {
		j := frameJobs.Get().(*frameJob)
		j.done = r.left.Done
		j.data, r.next = r.next, j.data
		r.left.Add(1)
		frameQueue <- j
	}
	r.left.Wait()
}

// The same without a queue: what changed places before the Put stays with who has it.
func (r *frameReader) exchangeNow(sum func([]byte)) {
	for r.more() {
		j := frameJobs.Get().(*frameJob)
		j.data, r.next = r.next, j.data
		sum(j.data)
		frameJobs.Put(j)
	}
}

// This one takes the job's buffer, and the job keeps it as well.
type lineReader struct {
	src  *bufio.Reader
	next []byte
	left sync.WaitGroup
}

func (r *lineReader) more() bool {
	r.next = r.next[:0]
	part, err := r.src.ReadSlice(10)
	r.next = append(r.next, part...)
	return err == nil
}

func (r *lineReader) share() {
	for r.more() { // want `j is appended to after it was handed to a goroutine that puts it back`
		j := frameJobs.Get().(*frameJob)
		j.done = r.left.Done
		r.next = j.data
		r.left.Add(1)
		frameQueue <- j
	}
	r.left.Wait()
}
