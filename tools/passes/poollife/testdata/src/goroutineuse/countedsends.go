package goroutineuse

import "sync"

// A number tells how many were sent, and so who is to be waited for.
type sentTask struct {
	wg sync.WaitGroup
	n  int
}

var sentTasks = sync.Pool{New: func() any { return new(sentTask) }}

func newSentTasks(n int) []*sentTask {
	list := make([]*sentTask, n)
	for i := range list {
		j := sentTasks.Get().(*sentTask)
		j.wg.Add(1)
		list[i] = j
	}
	return list
}

func sendSome(q chan *sentTask, n int) {
	list := newSentTasks(n)
	sent := 0
	for ; sent < n; sent++ {
		q <- list[sent]
	}
	for i, j := range list {
		if i >= sent {
			j.wg.Done()
			continue
		}
		j.wg.Wait()
	}
	for _, j := range list {
		sentTasks.Put(j)
	}
}

func sendSomeDeferred(q chan *sentTask, n int) {
	list := newSentTasks(n)
	defer func() {
		for _, j := range list {
			sentTasks.Put(j)
		}
	}()
	sent := 0
	for ; sent < n; sent++ {
		q <- list[sent]
	}
	for i, j := range list {
		if i < sent {
			j.wg.Wait()
		}
	}
}

func sendAndPut(q chan *sentTask) {
	j := sentTasks.Get().(*sentTask)
	for sent := 0; sent < 3; sent++ {
		q <- j
	}
	sentTasks.Put(j) // want `j is put in sentTasks while the receiver from the channel`
}
