package facts

import "facts/lib"

// What only the package of a task sees in it is that package's affair.
func queued(list [][]byte, tasks chan *lib.Task) {
	t := new(lib.Task)
	t.Queue(list, nil)
	tasks <- t
}

// What everybody sees in it is read by whoever gets it.
func taken(b []byte, tasks chan *lib.Task) {
	t := new(lib.Task)
	t.Take(b)
	tasks <- t // want `sent on a channel after it was put`
}
