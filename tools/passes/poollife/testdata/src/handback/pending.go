// SPDX-License-Identifier: BSD-3-Clause

package handback

import (
	"context"
	"sync"
)

type ask struct {
	got   []byte
	ready chan error
}

var asks = sync.Pool{New: func() any { return &ask{ready: make(chan error, 1)} }}

type asker struct {
	mu   sync.Mutex
	open map[int]*ask
	last int
}

func (a *asker) drop(n int) *ask {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.open[n]
	delete(a.open, n)
	return x
}

func (a *asker) answer(n int, p []byte) {
	if x := a.drop(n); x != nil {
		x.got = append(x.got[:0], p...)
		x.ready <- nil
	}
}

func (a *asker) enter(x *ask) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	a.open[a.last] = x
	return a.last
}

// wait gets the reply, after which the call is in the map no more.
func (a *asker) wait() (string, error) {
	x := asks.Get().(*ask)
	defer asks.Put(x)
	a.mu.Lock()
	a.last++
	a.open[a.last] = x
	a.mu.Unlock()
	if err := <-x.ready; err != nil {
		return "", err
	}
	return string(x.got), nil
}

func (a *asker) waitUntil(ctx context.Context) (string, error) {
	x := asks.Get().(*ask)
	defer asks.Put(x)
	a.mu.Lock()
	a.last++
	n := a.last
	a.open[n] = x
	a.mu.Unlock()
	select {
	case err := <-x.ready:
		return string(x.got), err
	case <-ctx.Done():
		if a.drop(n) == nil {
			<-x.ready
		}
		return "", ctx.Err()
	}
}

// waitOr leaves the call where the reply finds it.
func (a *asker) waitOr(ctx context.Context) (string, error) {
	x := asks.Get().(*ask)
	defer asks.Put(x)
	a.enter(x) // want `an element of a slice or map keeps memory of x after the value was put in asks`
	select {
	case err := <-x.ready:
		return string(x.got), err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// A table has nobody who takes anything out of it.
type callTable struct{ all map[int]*ask }

func (t *callTable) wait(n int) error {
	x := asks.Get().(*ask)
	defer asks.Put(x)
	t.all[n] = x // want `an element of a slice or map keeps memory of x after the value was put in asks`
	return <-x.ready
}
