package resetindex

// The pool is picked first.

func (e *enc) closeFirst() {
	level := e.level
	e.reset()
	byLevel[level].Put(e)
}

func (e *enc) closeLast() {
	p := &byLevel[e.level]
	e.reset()
	p.Put(e)
}

// Another object is reset.

func swap(e, next *enc) {
	next.reset()
	byLevel[e.level].Put(e)
}

// Set again, to what it was made with.

func again(e *enc, level int) {
	e.reset()
	e.level = level
	byLevel[e.level].Put(e)
}

// Moved to a class on purpose.

func shrink(e *enc) {
	e.level = 1
	byLevel[e.level].Put(e)
}

// Only when it failed.

func maybe(e *enc, failed bool) {
	if failed {
		e.reset()
	}
	byLevel[e.level].Put(e)
}
