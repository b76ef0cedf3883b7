package droppedagain

import (
	"errors"
	"sync"
	"sync/atomic"
)

// A sheet of stamps is shared by those who tear some off it.
type sheet struct {
	users atomic.Int64
	ink   *[]byte
}

var inks = sync.Pool{New: func() any { return new([]byte) }}

func newSheet() *sheet {
	s := &sheet{ink: inks.Get().(*[]byte)}
	s.users.Add(1)
	return s
}

func (s *sheet) done() {
	if s.users.Add(-1) == 0 {
		inks.Put(s.ink)
	}
}

type clerk struct{ from *sheet }

func hire(from *sheet) *clerk {
	from.users.Add(1)
	return &clerk{from}
}

func (c *clerk) leave() { c.from.done() }

// dismiss may be called again.
func (c *clerk) dismiss() {
	if c.from != nil {
		c.from.done()
		c.from = nil
	}
}

type counter struct{ clerks []*clerk }

func (c *counter) shut() error {
	for _, k := range c.clerks {
		k.leave()
	}
	return nil
}

func (c *counter) shutGently() {
	for _, k := range c.clerks {
		k.dismiss()
	}
}

var errClosed = errors.New("closed")

// Wrong: the counter lets its clerks go, and so does the deferred call.
func openCounter(n int, from *sheet, ready func(*counter) error) (c *counter, err error) {
	var staff []*clerk
	defer func() {
		if err != nil {
			for _, k := range staff {
				k.leave()
			}
		}
	}()
	for range n {
		staff = append(staff, hire(from))
	}
	if n > 9 {
		return nil, errClosed
	}
	c = &counter{clerks: staff}
	if err = ready(c); err != nil {
		c.shut() // want `shut gives up each element of staff \(line 50\), and so does the deferred call again where this fails \(line 69\)`
		return nil, err
	}
	return c, nil
}

// Right: the deferred call has no list any more.
func openHandedOver(n int, from *sheet, ready func(*counter) error) (c *counter, err error) {
	var staff []*clerk
	defer func() {
		if err != nil {
			for _, k := range staff {
				k.leave()
			}
		}
	}()
	for range n {
		staff = append(staff, hire(from))
	}
	c = &counter{clerks: staff}
	staff = nil
	if err = ready(c); err != nil {
		c.shut()
		return nil, err
	}
	return c, nil
}

// Right: where the counter was shut there is no error.
func openOrNot(n int, from *sheet, ready func(*counter) error) (c *counter, err error) {
	var staff []*clerk
	defer func() {
		if err != nil {
			for _, k := range staff {
				k.leave()
			}
		}
	}()
	if n > 9 {
		return nil, errClosed
	}
	for range n {
		staff = append(staff, hire(from))
	}
	c = &counter{clerks: staff}
	if ready(c) != nil {
		c.shut()
		return nil, nil
	}
	return c, nil
}

// Right: who was dismissed is not dismissed again.
func openGently(n int, from *sheet, ready func(*counter) error) (c *counter, err error) {
	var staff []*clerk
	defer func() {
		if err != nil {
			for _, k := range staff {
				k.dismiss()
			}
		}
	}()
	for range n {
		staff = append(staff, hire(from))
	}
	c = &counter{clerks: staff}
	if err = ready(c); err != nil {
		c.shutGently()
		return nil, err
	}
	return c, nil
}

// Right: the list of the counter is another one.
func openOther(n int, from *sheet, ready func(*counter) error) (c *counter, err error) {
	var spare []*clerk
	defer func() {
		if err != nil {
			for _, k := range spare {
				k.leave()
			}
		}
	}()
	var staff []*clerk
	for range n {
		staff = append(staff, hire(from))
		spare = append(spare, hire(from))
	}
	c = &counter{clerks: staff}
	if err = ready(c); err != nil {
		c.shut()
		return nil, err
	}
	c.clerks = append(c.clerks, spare...)
	return c, nil
}
