package chanlists

import (
	"bufio"
	"bytes"
	"io"
)

// A list of free values between two goroutines, in a variable of who starts them.

type csvRow struct {
	text  []byte
	cells [][]byte
}

func (r *csvRow) scan(line []byte) {
	r.text = append(r.text[:0], line...)
	r.cells = append(r.cells[:0], bytes.Split(r.text, []byte{','})...)
}

type rowOrErr struct {
	row *csvRow
	err error
}

// scanRows fills rows that came back, or new ones.
func scanRows(from io.Reader, to chan<- rowOrErr, back <-chan *csvRow) {
	sc := bufio.NewScanner(from)
	for sc.Scan() {
		var r *csvRow
		select {
		case r = <-back:
		default:
			r = new(csvRow)
		}
		r.scan(sc.Bytes())
		to <- rowOrErr{row: r}
	}
	to <- rowOrErr{err: io.EOF}
}

type column struct {
	rows chan rowOrErr
	out  chan []byte
	sum  int
}

func (c *column) first(back chan<- *csvRow) {
	for {
		in := <-c.rows
		if in.row == nil {
			close(c.out)
			return
		}
		c.out <- in.row.text[:1]
		select { // want `in\.row is put in the channel while the receiver from the channel`
		case back <- in.row:
		default:
		}
	}
}

func startFirst(r io.Reader) *column {
	c := &column{rows: make(chan rowOrErr, 2), out: make(chan []byte, 8)}
	back := make(chan *csvRow, 2)
	go scanRows(r, c.rows, back)
	go c.first(back)
	return c
}

// What is sent on is a copy.

func scanLines(from io.Reader, to chan<- rowOrErr, back <-chan *csvRow) {
	sc := bufio.NewScanner(from)
	for sc.Scan() {
		var r *csvRow
		select {
		case r = <-back:
		default:
			r = new(csvRow)
		}
		r.scan(sc.Bytes())
		to <- rowOrErr{row: r}
	}
	to <- rowOrErr{err: io.EOF}
}

func (c *column) copied(back chan<- *csvRow) {
	for {
		in := <-c.rows
		if in.row == nil {
			close(c.out)
			return
		}
		c.out <- bytes.Clone(in.row.text[:1])
		select {
		case back <- in.row:
		default:
		}
	}
}

func startCopied(r io.Reader) *column {
	c := &column{rows: make(chan rowOrErr, 2), out: make(chan []byte, 8)}
	back := make(chan *csvRow, 2)
	go scanLines(r, c.rows, back)
	go c.copied(back)
	return c
}

// Nothing of the row is sent on.

func scanCells(from io.Reader, to chan<- rowOrErr, back <-chan *csvRow) {
	sc := bufio.NewScanner(from)
	for sc.Scan() {
		var r *csvRow
		select {
		case r = <-back:
		default:
			r = new(csvRow)
		}
		r.scan(sc.Bytes())
		to <- rowOrErr{row: r}
	}
	to <- rowOrErr{err: io.EOF}
}

func (c *column) count(back chan<- *csvRow) {
	for {
		in := <-c.rows
		if in.row == nil {
			close(c.out)
			return
		}
		c.sum += len(in.row.cells)
		select {
		case back <- in.row:
		default:
		}
	}
}

func startCount(r io.Reader) *column {
	c := &column{rows: make(chan rowOrErr, 2), out: make(chan []byte, 8)}
	back := make(chan *csvRow, 2)
	go scanCells(r, c.rows, back)
	go c.count(back)
	return c
}

// A channel for the latest row is no list: who receives a row only reads it.

func (c *column) newest(latest chan<- *csvRow) {
	for in := range c.rows {
		c.out <- in.row.text
		select {
		case latest <- in.row:
		default:
		}
	}
}

func poll(latest <-chan *csvRow, tick <-chan int, show func(*csvRow)) {
	for range tick {
		var r *csvRow
		select {
		case r = <-latest:
		default:
			r = new(csvRow)
		}
		show(r)
	}
}

func startNewest(c *column, tick <-chan int, show func(*csvRow)) {
	latest := make(chan *csvRow, 1)
	go c.newest(latest)
	go poll(latest, tick, show)
}

// Nor is one whose values are waited for.

func fillWaiting(from io.Reader, to chan<- rowOrErr, next <-chan *csvRow) {
	sc := bufio.NewScanner(from)
	for sc.Scan() {
		r := <-next
		r.scan(sc.Bytes())
		to <- rowOrErr{row: r}
	}
}

func (c *column) turn(next chan<- *csvRow) {
	for in := range c.rows {
		c.out <- in.row.text
		select {
		case next <- in.row:
		default:
		}
	}
}

func startTurns(r io.Reader, c *column) {
	next := make(chan *csvRow, 1)
	next <- new(csvRow)
	go fillWaiting(r, c.rows, next)
	go c.turn(next)
}
