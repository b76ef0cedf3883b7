// SPDX-License-Identifier: BSD-3-Clause

// Package progress shows on one line how far long work has come.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spare-go/spare/tools/internal/plain"
)

// every is how often a log gets a line of progress.
const every = 10 * time.Second

// A Line is the state of the work. On a terminal it rewrites one line; into a
// file or a pipe it writes a line now and then. It is not safe for concurrent
// use.
type Line struct {
	w        io.Writer
	raw      io.Writer // below w: it takes what moves the cursor
	terminal bool
	width    int // of what is on the terminal's line
	last     time.Time
}

// New returns a Line on w.
func New(w io.Writer) *Line {
	return &Line{w: w, raw: plain.Raw(w), terminal: plain.IsTerminal(w) && os.Getenv("TERM") != "dumb"}
}

// Phase names a new part of the work.
func (l *Line) Phase(format string, args ...any) {
	l.show(fmt.Sprintf(format, args...))
	l.last = time.Time{} // the first step of a phase is shown
}

// Step reports progress within a phase.
func (l *Line) Step(format string, args ...any) {
	if !l.terminal && time.Since(l.last) < every {
		return
	}
	l.show(fmt.Sprintf(format, args...))
}

func (l *Line) show(text string) {
	l.last = time.Now()
	text = plain.Text(text)
	if !l.terminal {
		fmt.Fprintf(l.w, "spare: %s\n", text)
		return
	}
	const columns = 100
	if r := []rune(text); len(r) > columns {
		text = string(r[:columns-1]) + "…"
	}
	n := utf8.RuneCountInString(text)
	fmt.Fprint(l.raw, "\r", text, strings.Repeat(" ", max(0, l.width-n)))
	l.width = n
}

// Clear takes the line off the terminal, so that other text can follow.
func (l *Line) Clear() {
	if l.terminal && l.width > 0 {
		fmt.Fprint(l.raw, "\r", strings.Repeat(" ", l.width), "\r")
		l.width = 0
	}
}

// Note writes a line that stays.
func (l *Line) Note(format string, args ...any) {
	l.Clear()
	fmt.Fprintf(l.w, "spare: %s\n", plain.Text(fmt.Sprintf(format, args...)))
}
