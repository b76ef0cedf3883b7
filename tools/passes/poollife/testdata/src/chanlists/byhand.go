// SPDX-License-Identifier: BSD-3-Clause

package chanlists

import "io"

// Lists that functions take from and put to by selects of their own.

type crate struct {
	n    int
	data [512]byte
}

var crates = make(chan *crate, 8)

func fillCrate(fill func(*crate), told func(int)) {
	var c *crate
	select {
	case c = <-crates:
	default:
		c = new(crate)
	}
	fill(c)
	select {
	case crates <- c:
	default:
	}
	told(c.n) // want `is read after it was put in the channel crates`
}

func fillCrateFirst(fill func(*crate), told func(int)) {
	var c *crate
	select {
	case c = <-crates:
	default:
		c = new(crate)
	}
	fill(c)
	told(c.n)
	select {
	case crates <- c:
	default:
	}
}

// What one takes another gets by a channel, and puts.
var idleCrates = make(chan *crate, 8)
var fullCrates = make(chan *crate)

func loadCrates(r io.Reader) {
	for {
		var c *crate
		select {
		case c = <-idleCrates:
		default:
			c = &crate{}
		}
		c.n, _ = r.Read(c.data[:])
		fullCrates <- c
	}
}

func unloadCrates(use func([]byte), told func(int)) {
	for {
		c := <-fullCrates
		use(c.data[:c.n])
		select {
		case idleCrates <- c:
		default:
		}
		told(c.n) // want `is read after it was put in the channel idleCrates`
	}
}

func unloadCratesFirst(use func([]byte), told func(int)) {
	for {
		c := <-fullCrates
		use(c.data[:c.n])
		n := c.n
		select {
		case idleCrates <- c:
		default:
		}
		told(n)
	}
}

// One function puts, and another sends to the list itself.
var spareCrates = make(chan *crate, 8)

func takeCrate() *crate {
	select {
	case c := <-spareCrates:
		return c
	default:
		return new(crate)
	}
}

func putCrate(c *crate) {
	select {
	case spareCrates <- c:
	default:
	}
}

func eachCrate(in chan *crate, use func([]byte) error) {
	for c := range in {
		if err := use(c.data[:c.n]); err != nil {
			putCrate(c)
		}
		putCrate(c) // want `c is put in the channel spareCrates a second time`
	}
}

func eachCrateByHand(in chan *crate, use func([]byte) error, told func(int)) {
	for c := range in {
		_ = use(c.data[:c.n])
		select {
		case spareCrates <- c:
		default:
		}
		told(c.n) // want `is read after it was put in the channel spareCrates`
	}
}

func eachCrateOnce(in chan *crate, use func([]byte) error) {
	for c := range in {
		if err := use(c.data[:c.n]); err != nil {
			putCrate(c)
			continue
		}
		select {
		case spareCrates <- c:
		default:
		}
	}
}

// Who gets it on the channel puts it.
var sentCrates = make(chan *crate)

func sendCrate(r io.Reader) (err error) {
	c := takeCrate()
	c.n, err = r.Read(c.data[:])
	sentCrates <- c
	if err != nil {
		putCrate(c) // want `c is put in the channel spareCrates a second time`
	}
	return err
}

func sendCrateRead(r io.Reader) (err error) {
	c := takeCrate()
	if c.n, err = r.Read(c.data[:]); err != nil {
		putCrate(c)
		return err
	}
	sentCrates <- c
	return nil
}

// It is put where nobody gets it.
func sendCrateUnlessFull(r io.Reader) (err error) {
	c := takeCrate()
	c.n, err = r.Read(c.data[:])
	select {
	case sentCrates <- c:
	default:
		putCrate(c)
	}
	return err
}

func serveCrates(use func([]byte)) {
	for c := range sentCrates {
		use(c.data[:c.n])
		putCrate(c)
	}
}

// The last state of something is no list: who sends it goes on reading it.
type weather struct{ degrees int }

var latest = make(chan *weather, 1)

func measure(w *weather, told func(int)) {
	select {
	case latest <- w:
	default:
	}
	told(w.degrees)
}

func announce(told func(int)) {
	var w *weather
	select {
	case w = <-latest:
	default:
		w = &weather{20}
	}
	told(w.degrees)
}

type forecast struct{ days []*weather }

var coming = make(chan *weather, 1)

func (f *forecast) pass(told func(int)) {
	w := f.days[0]
	select {
	case coming <- w:
	default:
	}
	told(w.degrees)
}

func nextWeather() *weather {
	select {
	case w := <-coming:
		return w
	default:
		return &weather{20}
	}
}
