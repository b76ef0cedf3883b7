// SPDX-License-Identifier: BSD-3-Clause

// Package plain makes text of others harmless: what profiles, servers, file
// names, environments and child processes say may hold escape sequences, which a
// terminal would obey, and line ends, which would look like lines of spare's own.
//
// There are two places for it. [Text] is for what stands within a line, and is
// called where lines are put together: by packages format, texttable and progress,
// by what shortens the names of files, and where profiles and answers of servers
// are read. A [Writer] is around everything that spare writes to, and catches
// what is left; only line ends and tabs get through it.
package plain

import (
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// harmful reports whether a rune is one that steers a terminal, or turns text
// round: a control character, a line separator, or a mark of direction.
func harmful(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// userinfo matches the user and password of a URL, as package url takes them.
var userinfo = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(://[\w\-.~!$&'()*+,;=%]*:)[\w\-.~!$&'()*+,;=%:@]*@`)
})

// Masked stands where a password was.
const Masked = "xxxxx"

// Text returns s with each control character, mark of direction and invalid
// byte written as Go writes it in a string: \n, \x1b, \u202e, and without the
// passwords of URLs. Everything else, a backslash too, stays as it is.
func Text(s string) string {
	if i := strings.Index(s, "://"); i >= 0 && strings.Contains(s[i:], "@") {
		s = userinfo().ReplaceAllString(s, "${1}"+Masked+"@")
	}
	at := 0
	for at < len(s) && s[at] >= ' ' && s[at] < 0x7f {
		at++
	}
	if at == len(s) {
		return s
	}
	return string(appendText(make([]byte, 0, len(s)+16), s, false))
}

// appendText appends the harmless form of s. lines says that line ends and tabs
// are wanted.
func appendText(b []byte, s string, lines bool) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case lines && (r == '\n' || r == '\t'):
			b = append(b, s[0])
		case r == utf8.RuneError && n == 1:
			b = append(b, `\x`...)
			b = append(b, "0123456789abcdef"[s[0]>>4], "0123456789abcdef"[s[0]&15])
		case r == 0x7f:
			b = append(b, `\u007f`...) // \x7f is not JSON
		case harmful(r):
			q := strconv.QuoteRuneToASCII(r)
			b = append(b, q[1:len(q)-1]...)
		default:
			b = append(b, s[:n]...)
		}
		s = s[n:]
	}
	return b
}

// Error returns an error whose message is that of err in one harmless line; nil
// for nil. It wraps err.
func Error(err error) error {
	if err == nil {
		return nil
	}
	if text := err.Error(); Text(text) != text {
		return &plainError{Text(text), err}
	}
	return err
}

// Lines returns an error with the text of err, whose line ends are meant: it is
// what another program printed.
func Lines(err error) error { return &linesError{err} }

type linesError struct{ error }

func (e *linesError) Unwrap() error { return e.error }
func (e *linesError) ManyLines()    {}

// Message returns the text of an error for people. It is one line, unless
// an error in it has the method ManyLines, as those of [Lines]: then the lines
// behind the first are indented, so that none of them looks like one of spare's.
func Message(err error) string {
	text := err.Error()
	if lines := (interface{ ManyLines() })(nil); !errors.As(err, &lines) {
		return Text(text)
	}
	first, rest, more := strings.Cut(Block(text), "\n")
	if !more {
		return first
	}
	for line := range strings.Lines(rest) {
		if line != "\n" {
			line = "\t" + line
		}
		first += "\n" + strings.TrimSuffix(line, "\n")
	}
	return first
}

// Block is [Text] for what another program printed: line ends, and tabs where lines
// begin, stay.
func Block(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, line := range lines {
		tabs := len(line) - len(strings.TrimLeft(line, "\t"))
		lines[i] = line[:tabs] + Text(line[tabs:])
	}
	return strings.Join(lines, "\n")
}

type plainError struct {
	text string
	err  error
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.err }

// A Writer writes to another writer what is harmless, and the rest as [Text]
// does, but for line ends and tabs. What it writes of JSON is the same JSON: that
// has escaped what is below a space already, and \u007f, \u0085 and the like are
// escapes of JSON, too. A Writer is not safe for concurrent use.
type Writer struct {
	w    io.Writer
	rest []byte // the beginning of a character whose end is still to come
	buf  []byte
}

// NewWriter returns a Writer on w. One on a Writer is that Writer.
func NewWriter(w io.Writer) *Writer {
	if p, ok := w.(*Writer); ok {
		return p
	}
	return &Writer{w: w}
}

// Write writes all of p, but for an incomplete character at its end, which waits
// for the next call or for Flush.
func (w *Writer) Write(p []byte) (int, error) {
	text := p
	if len(w.rest) > 0 {
		text = append(w.rest, p...)
		w.rest = nil
	}
	if k := incomplete(text); k > 0 {
		w.rest = append([]byte(nil), text[len(text)-k:]...)
		text = text[:len(text)-k]
	}
	if err := w.write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *Writer) write(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	w.buf = appendText(w.buf[:0], string(text), true)
	_, err := w.w.Write(w.buf)
	return err
}

// incomplete returns how many bytes at the end of p are the beginning of a
// character.
func incomplete(p []byte) int {
	for k := 1; k <= min(len(p), utf8.UTFMax-1); k++ {
		if tail := p[len(p)-k:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return k
		}
	}
	return 0
}

// Flush writes what waits for more, which is no character without it.
func (w *Writer) Flush() error {
	text := w.rest
	w.rest = nil
	return w.write(text)
}

// Raw returns the writer below w, for what has to move the cursor, and for what
// has to stay as it is, to the byte. The caller makes harmless what others wrote.
func Raw(w io.Writer) io.Writer {
	if p, ok := w.(*Writer); ok {
		return p.w
	}
	return w
}

// IsTerminal reports whether w, or the writer below it, is a terminal. The null
// device, a character device too, is not.
func IsTerminal(w io.Writer) bool {
	f, ok := Raw(w).(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// Patch returns the writer for a patch that goes to w: what it holds of a file has
// to reach the patch command to the byte, and a terminal harmless.
func Patch(w io.Writer) io.Writer {
	if IsTerminal(w) {
		return NewWriter(w)
	}
	return Raw(w)
}

// PatchName returns the name of a file as a patch has it. git and patch read one
// with control characters in the quotes of C.
func PatchName(name string) string {
	if Text(name) == name {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for s := name; len(s) > 0; {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(s[0])
		case harmful(r) || r == utf8.RuneError && n == 1:
			for _, c := range []byte(s[:n]) {
				b.WriteString(`\` + string([]byte{'0' + c>>6, '0' + c>>3&7, '0' + c&7}))
			}
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	b.WriteByte('"')
	return b.String()
}
