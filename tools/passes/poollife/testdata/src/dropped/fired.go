package dropped

import (
	"errors"
	"sync"
	"time"
)

// A timer that fired, where the pool keeps those alone that were stopped in time.

type alarms struct{ idle sync.Pool }

func (a *alarms) set(d time.Duration) *time.Timer {
	if t, ok := a.idle.Get().(*time.Timer); ok {
		t.Reset(d)
		return t
	}
	return time.NewTimer(d)
}

func (a *alarms) done(t *time.Timer) {
	if t.Stop() {
		a.idle.Put(t)
	}
}

var errAlarm = errors.New("alarm")

// Right: done would drop it.
func firedAlarm(a *alarms, in <-chan int) (int, error) {
	t := a.set(time.Second)
	select {
	case n := <-in:
		a.done(t)
		return n, nil
	case <-t.C:
		return 0, errAlarm
	}
}

type clocks struct{ idle sync.Pool }

func (c *clocks) set(d time.Duration) *time.Timer {
	if t, ok := c.idle.Get().(*time.Timer); ok {
		t.Reset(d)
		return t
	}
	return time.NewTimer(d)
}

func (c *clocks) done(t *time.Timer) {
	if !t.Stop() {
		select {
		case <-t.C:
		default:
		}
	}
	c.idle.Put(t)
}

// Wrong: done takes those that fired as well.
func firedClock(c *clocks, in <-chan int) (int, error) {
	t := c.set(time.Second) // want `t, taken from idle at line .*, is not put back on the path that ends here`
	select {
	case n := <-in:
		c.done(t)
		return n, nil
	case <-t.C:
		return 0, errAlarm
	}
}

// Wrong: it did not fire here.
func closedAlarm(a *alarms, in <-chan int, end <-chan struct{}) (int, error) {
	t := a.set(time.Second) // want `t, taken from idle at line .*, is not put back on the path that ends here`
	select {
	case n := <-in:
		a.done(t)
		return n, nil
	case <-end:
		return 0, nil
	case <-t.C:
		return 0, errAlarm
	}
}
