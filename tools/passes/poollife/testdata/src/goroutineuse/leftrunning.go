// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"errors"
	"sync"
)

// Goroutines that start others and end: a survey opens mines, each by itself, and each is dug on.

var oreLists = sync.Pool{New: func() any { return new([]int) }}

var errEmptyMine = errors.New("empty mine")

type mine struct {
	ores  *[]int
	found []int
}

func (m *mine) open(depth int) error {
	list := oreLists.Get().(*[]int)
	m.ores = list
	for d := range depth {
		if d > 100 {
			return errEmptyMine
		}
		*list = append((*list)[:d], d*d)
	}
	m.found = *list
	return nil
}

func (m *mine) shut() {
	if m.ores != nil {
		oreLists.Put(m.ores)
	}
}

// A dig runs until all is found.
type dig struct {
	at  *mine
	wg  sync.WaitGroup
	sum int
}

func startDig(m *mine) *dig {
	d := &dig{at: m}
	d.wg.Add(1)
	go func() {
		defer d.wg.Done()
		for _, n := range d.at.found {
			d.sum += n
		}
	}()
	return d
}

func (d *dig) total() int {
	d.wg.Wait()
	return d.sum
}

// Wrong: where one could not be opened, nobody waits for the digs in the others.
func surveyMines(depths []int) (int, error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var digs []*dig
	errs := make(chan error, len(depths))
	for _, depth := range depths {
		m := &mine{}
		defer m.shut() // want `m is put in oreLists while the goroutine started at line \d+ may still use it`
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := m.open(depth); err != nil {
				errs <- err
				return
			}
			d := startDig(m)
			mu.Lock()
			digs = append(digs, d)
			mu.Unlock()
		}()
	}
	wg.Wait()
	select {
	case err := <-errs:
		return 0, err
	default:
	}
	sum := 0
	for _, d := range digs {
		sum += d.total()
	}
	return sum, nil
}

// Right: all digs are waited for, whatever comes.
func surveyMinesRight(depths []int) (int, error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var digs []*dig
	errs := make(chan error, len(depths))
	for _, depth := range depths {
		m := &mine{}
		defer m.shut()
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := m.open(depth); err != nil {
				errs <- err
				return
			}
			d := startDig(m)
			mu.Lock()
			digs = append(digs, d)
			mu.Unlock()
		}()
	}
	wg.Wait()
	sum := 0
	for _, d := range digs {
		sum += d.total()
	}
	select {
	case err := <-errs:
		return 0, err
	default:
		return sum, nil
	}
}

// Right: the goroutine that starts a dig waits for it.
func surveyOneByOne(depths []int) error {
	var wg sync.WaitGroup
	errs := make(chan error, len(depths))
	for _, depth := range depths {
		m := &mine{}
		defer m.shut()
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := m.open(depth); err != nil {
				errs <- err
				return
			}
			startDig(m).total()
		}()
	}
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

// Right: a third goroutine waits for the digs, and is waited for.
func surveyWatched(depths []int) error {
	var wg sync.WaitGroup
	errs := make(chan error, len(depths))
	for _, depth := range depths {
		m := &mine{}
		defer m.shut()
		digs := make(chan *dig, 1)
		wg.Add(2)
		go func() {
			defer wg.Done()
			defer close(digs)
			if err := m.open(depth); err != nil {
				errs <- err
				return
			}
			digs <- startDig(m)
		}()
		go func() {
			defer wg.Done()
			for d := range digs {
				d.total()
			}
		}()
	}
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

// Right: what is dug for is a copy.
type copiedDig struct {
	found []int
	wg    sync.WaitGroup
	sum   int
}

func startCopied(m *mine) *copiedDig {
	d := &copiedDig{found: append([]int(nil), m.found...)}
	d.wg.Add(1)
	go func() {
		defer d.wg.Done()
		for _, n := range d.found {
			d.sum += n
		}
	}()
	return d
}

func surveyCopies(depths []int) error {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var digs []*copiedDig
	errs := make(chan error, len(depths))
	for _, depth := range depths {
		m := &mine{}
		defer m.shut()
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := m.open(depth); err != nil {
				errs <- err
				return
			}
			d := startCopied(m)
			mu.Lock()
			digs = append(digs, d)
			mu.Unlock()
		}()
	}
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
	}
	for _, d := range digs {
		d.wg.Wait()
	}
	return nil
}

// Right: the digs are all of one group, which is waited for.
type crew struct{ wg sync.WaitGroup }

func (c *crew) start(m *mine) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		for range m.found {
		}
	}()
}

func surveyByCrew(depths []int) error {
	c := &crew{}
	defer c.wg.Wait()
	var wg sync.WaitGroup
	errs := make(chan error, len(depths))
	mines := make([]mine, len(depths))
	for i, depth := range depths {
		m := &mines[i]
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := m.open(depth); err != nil {
				errs <- err
				return
			}
			c.start(m)
		}()
	}
	wg.Wait()
	c.wg.Wait()
	for i := range mines {
		mines[i].shut()
	}
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}
