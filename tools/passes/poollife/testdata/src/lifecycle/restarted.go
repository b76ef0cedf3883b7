package lifecycle

// Objects that Reset begins anew after their end.

type sheet struct {
	no int
	p  *page
}

func (s *sheet) drop() { pages.Put(s.p) }

// Album puts its pages at the end and has them still in its list.
type Album struct{ sheets []sheet }

// Add takes a page.
func (a *Album) Add(no int) { a.sheets = append(a.sheets, sheet{no: no, p: pages.Get().(*page)}) }

// Finish ends the album.
func (a *Album) Finish() (n int) {
	for i := range a.sheets {
		n += len(a.sheets[i].p.b)
		a.sheets[i].drop()
	}
	return n
}

// Reset begins another one.
func (a *Album) Reset() {
	for i := range a.sheets {
		a.sheets[i].drop() // want `put in pages a second time.*when Reset is called after Finish`
	}
	a.sheets = a.sheets[:0]
}

// Ledger has its page in a field.
type Ledger struct{ p *page }

// Close ends the ledger.
func (b *Ledger) Close() error {
	pages.Put(b.p)
	return nil
}

// Reset begins another one.
func (b *Ledger) Reset() {
	pages.Put(b.p) // want `put in pages a second time.*when Reset is called after Close`
	b.p = pages.Get().(*page)
}

// EmptiedAlbum lets go of what it puts.
type EmptiedAlbum struct{ pages []*page }

// Add takes a page.
func (a *EmptiedAlbum) Add() { a.pages = append(a.pages, pages.Get().(*page)) }

func (a *EmptiedAlbum) drop() {
	for _, p := range a.pages {
		pages.Put(p)
	}
	a.pages = a.pages[:0]
}

// Close ends the album.
func (a *EmptiedAlbum) Close() error {
	a.drop()
	return nil
}

// Reset begins another one.
func (a *EmptiedAlbum) Reset() { a.drop() }

// FlagLedger knows that it has ended.
type FlagLedger struct {
	p      *page
	closed bool
}

// Close ends the ledger.
func (b *FlagLedger) Close() error {
	if b.closed {
		return nil
	}
	b.closed = true
	pages.Put(b.p)
	return nil
}

// Reset begins another one.
func (b *FlagLedger) Reset() {
	if !b.closed {
		pages.Put(b.p)
	}
	b.p, b.closed = pages.Get().(*page), false
}

// FreshLedger takes another page when it begins, and only Close puts one.
type FreshLedger struct{ p *page }

// Close ends the ledger.
func (b *FreshLedger) Close() error {
	pages.Put(b.p)
	return nil
}

// Reset begins another one.
func (b *FreshLedger) Reset() { b.p = pages.Get().(*page) }
