package alone

import "sync"

type account struct {
	mu    sync.Mutex
	owner string
	sums  map[string]int
}

var accounts = sync.Pool{New: func() any { return &account{sums: map[string]int{}} }}

func open(owner string) *account {
	a := accounts.Get().(*account)
	a.owner = owner
	return a
}

func (a *account) free() {
	a.owner = ""
	clear(a.sums)
	accounts.Put(a)
}

func (a *account) closeDeferred() {
	a.mu.Lock()
	defer a.mu.Unlock() // want `a is used by Unlock after it was put in accounts`
	a.free()
}

func (a *account) closeThenUnlock() {
	a.mu.Lock()
	a.sums["end"]++
	a.free()
	a.mu.Unlock() // want `a is used by Unlock after it was put in accounts`
}

func closeIn(a *account) {
	a.mu.Lock()
	defer func() {
		a.mu.Unlock() // want `a is used by Unlock after it was put in accounts`
	}()
	a.free()
}

// The lock is given up first.
func (a *account) closeAfter() {
	a.mu.Lock()
	a.sums["end"]++
	a.mu.Unlock()
	a.free()
}

// The lock is not the value's.
type bank struct {
	mu    sync.Mutex
	chief *account
}

func (b *bank) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.chief != nil {
		b.chief.free()
		b.chief = nil
	}
}

// Put by a call that is deferred before, so that it runs after.
func (a *account) closeLast() {
	defer a.free()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sums["end"]++
}
