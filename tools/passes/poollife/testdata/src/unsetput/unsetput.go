// Fields that are put in the place of others.
package unsetput

import "sync"

type mark struct{ x, y int }

var (
	marksPool = sync.Pool{New: func() any { return new(sheet) }}
	notesPool = sync.Pool{New: func() any { return new(sheet) }}
)

type sheet struct{ marks []mark }

// Wrong: nobody sets the upper sheet, and nobody puts the lower one.
type page struct {
	title        string
	upper, lower *sheet
}

func newPage(title string) *page {
	p := &page{title: title}
	p.lower = notesPool.Get().(*sheet)
	p.lower.marks = append(p.lower.marks[:0], mark{1, 1})
	return p
}

func (p *page) close() {
	if p.upper != nil {
		marksPool.Put(p.upper) // want `upper is put here, which nobody ever sets, and what lower has from its pool \(line 23\) is put nowhere`
	}
}

// Right: what is never set is not needed yet, and the other one is put.
type spread struct {
	left, right *sheet
}

func newSpread() *spread {
	return &spread{right: notesPool.Get().(*sheet)}
}

func (s *spread) close() {
	if s.left != nil {
		marksPool.Put(s.left)
	}
	notesPool.Put(s.right)
}

// Right: who lays the page out sets the cover.
type book struct {
	cover, index *sheet
}

func newBook(pages []mark) *book {
	b := new(book)
	layOut(&b.cover, pages)
	b.index = notesPool.Get().(*sheet)
	return b
}

func layOut(s **sheet, pages []mark) {
	*s = marksPool.Get().(*sheet)
	(*s).marks = append((*s).marks[:0], pages...)
}

func (b *book) close() *sheet {
	marksPool.Put(b.cover)
	return b.index
}
