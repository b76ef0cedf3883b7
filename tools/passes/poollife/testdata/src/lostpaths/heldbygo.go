package lostpaths

import "sync"

// A goroutine that always holds a page, and hands on those that are full.

type page struct{ lines []string }

var pages = sync.Pool{New: func() any { return new(page) }}

func takePage() *page { return pages.Get().(*page) }

func givePage(p *page) {
	clear(p.lines)
	p.lines = p.lines[:0]
	pages.Put(p)
}

type printer struct {
	lines chan string
	stop  chan struct{}
	print func(lines []string, done func())
}

func (p *printer) start(most int) {
	current := takePage() // want `current, taken at line 26, is not put back by the goroutine that alone has it`
	go func() {
		for {
			select {
			case l := <-p.lines:
				current.lines = append(current.lines, l)
				if len(current.lines) == most {
					full := current
					p.print(full.lines, func() { givePage(full) })
					current = takePage()
				}
			case <-p.stop:
				return
			}
		}
	}()
}

func (p *printer) startRight(most int) {
	current := takePage()
	go func() {
		defer func() { givePage(current) }()
		for {
			select {
			case l := <-p.lines:
				current.lines = append(current.lines, l)
				if len(current.lines) == most {
					full := current
					p.print(full.lines, func() { givePage(full) })
					current = takePage()
				}
			case <-p.stop:
				return
			}
		}
	}()
}

func (p *printer) startAtEnd(most int) {
	current := takePage()
	go func() {
		for l := range p.lines {
			current.lines = append(current.lines, l)
			if len(current.lines) == most {
				full := current
				p.print(full.lines, func() { givePage(full) })
				current = takePage()
			}
		}
		givePage(current)
	}()
}

// The one who started it puts what is left.
func (p *printer) run(most int) {
	current := takePage()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case l := <-p.lines:
				current.lines = append(current.lines, l)
				if len(current.lines) == most {
					full := current
					p.print(full.lines, func() { givePage(full) })
					current = takePage()
				}
			case <-p.stop:
				return
			}
		}
	}()
	<-done
	givePage(current)
}
