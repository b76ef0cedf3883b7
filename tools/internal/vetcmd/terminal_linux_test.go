// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/spare-go/spare/tools/internal/vetcmd"
)

// terminal opens a pseudo terminal. The result of output is all that was
// written to it; it closes it.
func terminal(t *testing.T) (tty *os.File, output func() string) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	ioctl := func(request uintptr, arg *int32) {
		conn, err := keyboard.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		var errno syscall.Errno
		if err := conn.Control(func(fd uintptr) {
			_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(arg)))
		}); err != nil {
			t.Fatal(err)
		}
		if errno != 0 {
			t.Skipf("no pseudo terminal: %v", errno)
		}
	}
	var locked, number int32
	ioctl(syscall.TIOCSPTLCK, &locked)
	ioctl(syscall.TIOCGPTN, &number)
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	t.Cleanup(func() { tty.Close() })
	read := make(chan string, 1)
	go func() {
		// It ends with an error once the other side is closed.
		text, _ := io.ReadAll(keyboard)
		read <- string(text)
	}()
	return tty, func() string {
		tty.Close()
		return <-read
	}
}

const (
	indented = appFinding + "\tapp/app.go:10:2: first put\n"
	plain    = appFinding + "app/app.go:10:2: \tfirst put\n"
)

// TestTerminal has related positions indented on a terminal, unless -related
// says otherwise, and nothing left of the progress there.
func TestTerminal(t *testing.T) {
	module(t, fixture)
	const cleared = "\r\x1b[K"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, indented},
		{[]string{"-related=auto"}, indented},
		{[]string{"-related=indent"}, indented},
		{[]string{"-related=plain"}, plain},
		{[]string{"-related=none"}, appFinding},
	} {
		tty, output := terminal(t)
		exit := vetcmd.Run(t.Context(), io.Discard, tty, append(tt.args, "-tests=false", "./app"))
		text := strings.ReplaceAll(output(), "\r\n", "\n")
		i := strings.LastIndex(text, cleared)
		if exit != 1 || i < 0 || text[i+len(cleared):] != tt.want {
			t.Errorf("%q: exit %d, %q; want after the line of progress is cleared\n%s", tt.args, exit, text, tt.want)
		}
	}
}

// TestNoTerminal has go vet's form of related positions in a pipe and in a file,
// and no progress at all.
func TestNoTerminal(t *testing.T) {
	module(t, fixture)
	pipe := func() (*os.File, func() string) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close(); w.Close() })
		return w, func() string {
			w.Close()
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
	}
	file := func() (*os.File, func() string) {
		f, err := os.Create("out.txt")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f, func() string { return read(t, "out.txt") }
	}
	for name, open := range map[string]func() (*os.File, func() string){"pipe": pipe, "file": file} {
		w, output := open()
		exit := vetcmd.Run(t.Context(), io.Discard, w, []string{"-tests=false", "./app"})
		if got := output(); exit != 1 || got != plain {
			t.Errorf("%s: exit %d, %q, want\n%s", name, exit, got, plain)
		}
	}
}

// TestPatchOnTerminal has a patch that steers no terminal, and that is the file's to
// the byte elsewhere.
func TestPatchOnTerminal(t *testing.T) {
	const comment = "\x1b[31m\u202e größe"
	module(t, strings.Replace(fixture, "\twrap.Release(x)\n", "\twrap.Release(x) // "+comment+"\n", 1))
	tty, output := terminal(t)
	if exit := vetcmd.Run(t.Context(), tty, io.Discard, []string{"-diff", "-tests=false", "./app"}); exit != 1 {
		t.Errorf("exit %d, want 1", exit)
	}
	if text := output(); !strings.Contains(text, `// \x1b[31m\u202e größe`) || strings.Contains(text, "\x1b") {
		t.Errorf("on a terminal: %q", text)
	}
	if exit, stdout, stderr := vet(t, "-diff", "-tests=false", "./app"); exit != 1 || !strings.Contains(stdout, "// "+comment) {
		t.Errorf("elsewhere: exit %d, %q, %s", exit, stdout, stderr)
	}
}
