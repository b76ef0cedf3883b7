// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"slices"
	"strings"
	"unicode"
)

// What a method failed of may be dropped on purpose. Not so where the same function puts it when
// another method that does the same kind of thing fails, by a defer that stands behind the first call, say: one
// ReadLine that fails leaves a reader in no other state than the next ReadHeader.

// failures are the kinds of methods whose errors the paths of a root have met.
type failures struct {
	putAfter  []string // on paths that put the value
	lostAfter []failedPath
	unbegun   []lostPath // where the value could not be begun
	within    bool       // others return an object that has it
}

type failedPath struct {
	lostPath
	kinds []string
}

// noteFailed records how a path ends that met an error of a method of a token.
func (a *analysis) noteFailed(e exit, l *leak, t *sym, put bool) {
	var kinds []string
	for err, list := range a.failing {
		if !slices.Contains(list, t) || a.failedBy[err] == "" {
			continue
		}
		// A Put that does not ask whether there was an error is one after an error, too.
		if isNil, ok := a.known(e.st, a.syms.nilTest(err)); isNil || !ok && !put || put && namedError(e.st, err) {
			continue
		}
		kinds = append(kinds, a.failedBy[err])
	}
	switch {
	case put:
		l.putAfter = append(l.putAfter, kinds...)
	case len(kinds) == 1:
		l.lostAfter = append(l.lostAfter, failedPath{lostPath{at: e.ret, tok: t, skipped: e.st.skipped, result: lastResult(e)}, kinds})
	}
}

// lostAlike are the paths that lost a value when a method failed, where others put it after such an error.
func (l *leak) lostAlike() []lostPath {
	var list []lostPath
	for _, p := range l.lostAfter {
		if slices.Contains(l.putAfter, p.kinds[0]) {
			list = append(list, p.lostPath)
		}
	}
	return list
}

// namedError reports whether a path found an error to be a particular one, such as io.EOF: that may be
// no failure.
func namedError(st *state, err *sym) bool {
	for c, v := range st.truth {
		if v && c.kind == kCmp && c.idx == int(token.EQL) && (plain(c.a) == err || plain(c.b) == err) {
			return true
		}
	}
	return false
}

// kindOf is the verb that the name of a method begins with, where it neither begins nor ends the use of a value.
func kindOf(name string) string {
	verb := name
	for n, r := range name {
		if n > 0 && unicode.IsUpper(r) {
			verb = name[:n]
			break
		}
	}
	verb = strings.ToLower(verb)
	if hasPrefix(verb, []string{"init", "reset", "open", "start", "new", "set", "begin", "dial", "connect"}) || ends(verb) {
		return ""
	}
	return verb
}
