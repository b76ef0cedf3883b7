// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"bytes"
	"io"
	"os"
	"sync"
)

var exitTexts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The program ends with the function: there is nothing to put back for.
func exits(w io.Writer, ok func() bool) {
	defer os.Exit(1)
	b := exitTexts.Get().(*bytes.Buffer)
	b.WriteString("begun\n")
	if !ok() {
		return
	}
	w.Write(b.Bytes())
	exitTexts.Put(b)
}

func exitsAtOnce(w io.Writer, ok func() bool) {
	defer func() {
		if p := recover(); p != nil {
			io.WriteString(w, "failed")
		}
		os.Exit(2)
	}()
	b := exitTexts.Get().(*bytes.Buffer)
	if !ok() {
		return
	}
	w.Write(b.Bytes())
	exitTexts.Put(b)
}

// Here it goes on.
func exitsNot(w io.Writer, ok func() bool) {
	defer io.WriteString(w, "done")
	b := exitTexts.Get().(*bytes.Buffer) // want `not put back on the path`
	if !ok() {
		return
	}
	w.Write(b.Bytes())
	exitTexts.Put(b)
}
