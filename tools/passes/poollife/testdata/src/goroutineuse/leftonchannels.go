// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"context"
	"sync"
)

// Goroutines that others start and that tell of their end on a channel: the trains of a line are loaded each by itself, and each
// is emptied on.

type wagonLoad struct{ crates []int }

var wagonLoads = sync.Pool{New: func() any { return new(wagonLoad) }}

type train struct {
	load *wagonLoad
	at   int
}

func (t *train) fill(crates []int) error {
	l := wagonLoads.Get().(*wagonLoad)
	t.load = l
	l.crates = l.crates[:0]
	for _, c := range crates {
		if c < 0 {
			return errEmptyMine
		}
		l.crates = append(l.crates, c)
		if len(l.crates) == 100 {
			break
		}
	}
	return nil
}

func (t *train) next() (int, bool) {
	if t.at >= len(t.load.crates) {
		return 0, false
	}
	c := t.load.crates[t.at]
	t.at++
	return c, true
}

func (t *train) clear() {
	if t.load != nil {
		wagonLoads.Put(t.load)
		t.load = nil
	}
}

// An unloading runs until the train is empty.
type unloading struct {
	out  chan int
	done chan struct{}
}

func unload(ctx context.Context, t *train) *unloading {
	u := &unloading{out: make(chan int, 8), done: make(chan struct{})}
	go func() {
		defer close(u.done)
		defer close(u.out)
		for {
			c, ok := t.next()
			if !ok {
				return
			}
			select {
			case u.out <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	return u
}

func (u *unloading) wait() { <-u.done }

// Wrong: where one could not be filled, nobody waits for those that are emptied.
func runTrains(ctx context.Context, lines [][]int, each func(int) error) error {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		all    []*unloading
		failed error
	)
	for _, crates := range lines {
		t := &train{}
		defer t.clear() // want `t is put in wagonLoads while the goroutine started at line \d+ may still use it`
		wg.Go(func() {
			err := t.fill(crates)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
				return
			}
			all = append(all, unload(ctx, t))
		})
	}
	wg.Wait()
	if failed != nil {
		return failed
	}
	defer func() {
		for _, u := range all {
			u.wait()
		}
	}()
	for _, u := range all {
		for c := range u.out {
			if err := each(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// Right: they are waited for in any case.
func runTrainsRight(ctx context.Context, lines [][]int, each func(int) error) error {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		all    []*unloading
		failed error
	)
	for _, crates := range lines {
		t := &train{}
		defer t.clear()
		wg.Go(func() {
			err := t.fill(crates)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
				return
			}
			all = append(all, unload(ctx, t))
		})
	}
	wg.Wait()
	defer func() {
		for _, u := range all {
			u.wait()
		}
	}()
	if failed != nil {
		return failed
	}
	for _, u := range all {
		for c := range u.out {
			if err := each(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// Right: where there is none that is emptied, none has to be waited for.
func runTrainsIfAny(ctx context.Context, lines [][]int) (sum int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all []*unloading
	for _, crates := range lines {
		t := &train{}
		defer t.clear()
		wg.Add(1)
		go func() {
			defer wg.Done()
			if t.fill(crates) != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, unload(ctx, t))
		}()
	}
	wg.Wait()
	if len(all) == 0 {
		return -1
	}
	for _, u := range all {
		for c := range u.out {
			sum += c
		}
		u.wait()
	}
	return sum
}

// Right: an empty table tells that none is emptied.
func runTrainsByName(ctx context.Context, lines map[string][]int) (sum int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	all := map[string]*unloading{}
	for name, crates := range lines {
		t := &train{}
		defer t.clear()
		wg.Go(func() {
			if t.fill(crates) != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			all[name] = unload(ctx, t)
		})
	}
	wg.Wait()
	if len(all) == 0 {
		return -1
	}
	for _, u := range all {
		for c := range u.out {
			sum += c
		}
		u.wait()
	}
	return sum
}

// Right: those that are there are waited for.
func runTrainsInPlace(ctx context.Context, lines [][]int) (sum int) {
	var wg sync.WaitGroup
	all := make([]*unloading, len(lines))
	for k, crates := range lines {
		t := &train{}
		defer t.clear()
		wg.Go(func() {
			if t.fill(crates) == nil {
				all[k] = unload(ctx, t)
			}
		})
	}
	wg.Wait()
	for _, u := range all {
		if u == nil {
			continue
		}
		for c := range u.out {
			sum += c
		}
		u.wait()
	}
	return sum
}

// Right: the one train was not filled, so that nobody empties it.
func runOneTrain(ctx context.Context, crates []int) (sum int, _ error) {
	var wg sync.WaitGroup
	var u *unloading
	var failed error
	t := &train{}
	defer t.clear()
	wg.Go(func() {
		if failed = t.fill(crates); failed == nil {
			u = unload(ctx, t)
		}
	})
	wg.Wait()
	if failed != nil {
		return 0, failed
	}
	for c := range u.out {
		sum += c
	}
	u.wait()
	return sum, nil
}

// Right: each waits for the one that it starts.
func runTrainsInside(ctx context.Context, lines [][]int) error {
	var wg sync.WaitGroup
	var failed error
	for _, crates := range lines {
		t := &train{}
		defer t.clear()
		wg.Go(func() {
			if err := t.fill(crates); err != nil {
				failed = err
				return
			}
			unload(ctx, t).wait()
		})
	}
	wg.Wait()
	return failed
}

// A ferry has cars on board, and tells by a value on a channel that all have left.
type ferry[T any] struct {
	deck *[]T
	left chan int
}

var decks = sync.Pool{New: func() any { return new([]car) }}

type car struct{ wheels int }

func (f *ferry[T]) board(cars []T) {
	f.deck = deckOf[T]()
	*f.deck = append((*f.deck)[:0], cars[:min(len(cars), 64)]...)
}

func deckOf[T any]() *[]T { return decks.Get().(*[]T) }

func (f *ferry[T]) land(drive func(T)) {
	f.left = make(chan int, 1)
	go f.driveOff()
}

func (f *ferry[T]) driveOff() {
	n := 0
	for range *f.deck {
		n++
	}
	f.left <- n
}

func (f *ferry[T]) moor() { decks.Put(f.deck) }

// Wrong: all have landed when it comes to moor them, but not all cars have left.
func cross(loads [][]car) {
	var wg sync.WaitGroup
	var fleet []*ferry[car]
	for _, cars := range loads {
		f := &ferry[car]{}
		fleet = append(fleet, f)
		defer f.moor() // want `f is put in decks while the goroutine started at line \d+ may still use it`
		wg.Add(1)
		go func() {
			defer wg.Done()
			f.board(cars)
			f.land(nil)
		}()
	}
	wg.Wait()
}

// Right: the cars are counted.
func crossRight(loads [][]car) (n int) {
	var wg sync.WaitGroup
	var fleet []*ferry[car]
	for _, cars := range loads {
		f := &ferry[car]{}
		fleet = append(fleet, f)
		defer f.moor()
		wg.Add(1)
		go func() {
			defer wg.Done()
			f.board(cars)
			f.land(nil)
		}()
	}
	wg.Wait()
	for _, f := range fleet {
		n += <-f.left
	}
	return n
}
