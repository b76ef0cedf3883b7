// Fields that are put without the lock under which others look at them.
package clearedlate

import "sync"

type sack struct{ grain []int }

var sacks = sync.Pool{New: func() any { return new(sack) }}

func (s *sack) empty() {
	s.grain = s.grain[:0]
	sacks.Put(s)
}

type barn struct {
	lock  sync.Mutex
	shut  bool
	full  bool
	stock *sack
	spare *sack
	sell  func([]int)
}

func (b *barn) ship(s *sack) {
	b.sell(s.grain)
	s.empty()
}

// Wrong: close may find the sack that is on its way.
func (b *barn) add(n int, last bool) {
	b.lock.Lock()
	if b.shut {
		b.lock.Unlock()
		return
	}
	if b.stock == nil {
		b.stock = sacks.Get().(*sack)
	}
	b.stock.grain = append(b.stock.grain, n)
	b.lock.Unlock()
	if last {
		b.ship(b.stock) // want `what stock holds is put through this call when the lock was given back \(line 40\), and is there until stock is set to nil \(line 43\): close, which has the lock, may put it again \(line 54\)`
		b.stock = nil
	}
}

func (b *barn) close() {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.shut {
		return
	}
	if b.shut = true; b.stock != nil {
		b.ship(b.stock)
		b.stock = nil
	}
	if b.spare != nil && !b.full {
		b.ship(b.spare)
		b.spare = nil
	}
}

// Right: it is taken out under the lock.
func (b *barn) addRight(n int, last bool) {
	b.lock.Lock()
	if b.stock == nil {
		b.stock = sacks.Get().(*sack)
	}
	b.stock.grain = append(b.stock.grain, n)
	var out *sack
	if last {
		out, b.stock = b.stock, nil
	}
	b.lock.Unlock()
	if out != nil {
		b.ship(out)
	}
}

// Right: all is under the lock.
func (b *barn) addLocked(n int, last bool) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.stock == nil {
		b.stock = sacks.Get().(*sack)
	}
	b.stock.grain = append(b.stock.grain, n)
	if last {
		b.ship(b.stock)
		b.stock = nil
	}
}

// Right: close sees that it is full, and leaves the sack alone.
func (b *barn) fill(n int) {
	b.lock.Lock()
	if b.spare == nil {
		b.spare = sacks.Get().(*sack)
	}
	b.spare.grain = append(b.spare.grain, n)
	b.full = true
	b.lock.Unlock()
	b.ship(b.spare)
	b.spare = nil
}
