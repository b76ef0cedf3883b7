// SPDX-License-Identifier: BSD-3-Clause

package escape

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Cause is the kind of reason for which a value is on the heap: the end of
// its flow.
type Cause string

// The causes.
const (
	Returned  Cause = "returned"           // to a caller that is not inlined
	Stored    Cause = "stored"             // in memory that outlives the function, as far as the compiler sees
	Passed    Cause = "passed"             // to code that keeps it, or that the compiler does not see
	Boxed     Cause = "boxed"              // converted to an interface, whose use the compiler does not see
	Captured  Cause = "captured"           // by a closure that is on the heap
	TooLarge  Cause = "too large"          // for the stack
	Unsized   Cause = "unsized"            // its size is known at run time only
	Goroutine Cause = "goroutine"          // used by another goroutine
	Unknown   Cause = "the compiler's own" // no flow says it
)

// Cause returns why the value is on the heap. For one that is on the stack it
// returns "".
func (r *Record) Cause() Cause {
	if !r.Heap {
		if r.Varies() {
			return Unsized
		}
		return ""
	}
	cause := Unknown
	for _, s := range r.Flow {
		switch {
		case s.How == "too large for stack":
			return TooLarge
		case s.How == "non-constant size":
			return Unsized
		case s.How == "return":
			cause = Returned
		case s.How == "interface-converted":
			if cause == Unknown {
				cause = Boxed
			}
		case s.How == "captured by a closure":
			cause = Captured
		case s.How == "call parameter":
			if cause != Boxed {
				cause = Passed
			}
		case strings.HasPrefix(s.How, "assign"), strings.Contains(s.How, "element"), s.How == "send", strings.HasPrefix(s.How, "map "):
			if s.Scope == "{heap}" {
				cause = Stored
			}
		}
	}
	if cause == Unknown && len(r.Flow) > 0 && r.Flow[len(r.Flow)-1].Scope == "{heap}" {
		cause = Stored
		if strings.HasPrefix(r.Expr, "func literal") {
			cause = Goroutine
		}
	}
	return cause
}

// smallBuffer is what the compiler sets aside on the stack for a slice or string
// that does not escape and whose size it does not know.
const smallBuffer = 32

// Varies reports whether the size of the value is known at run time only. What
// is longer than smallBuffer is then on the heap even if it does not escape.
func (r *Record) Varies() bool {
	if rest, ok := strings.CutPrefix(r.Expr, "make(["); ok {
		args := strings.Split(strings.TrimSuffix(rest, ")"), ", ")
		_, err := strconv.Atoi(args[len(args)-1])
		return err != nil
	}
	for _, p := range []string{"append", "string(", "([]byte)(", "([]rune)(", "make(map", "map["} {
		if strings.HasPrefix(r.Expr, p) {
			return true
		}
	}
	return strings.Contains(r.Expr, " + ") && !strings.HasPrefix(r.Expr, "func ")
}

// Words tells the story of a value, one sentence for each part: what it is,
// and the steps of its flow.
func (r *Record) Words() []string {
	if !r.Heap && r.Varies() {
		return []string{fmt.Sprintf("%s does not escape, but its size is known at run time only: up to %d bytes are on the stack, more is on the heap", r.Expr, smallBuffer)}
	}
	if !r.Heap {
		return []string{fmt.Sprintf("%s does not escape: it is on the stack", r.Expr)}
	}
	what := r.Expr + " is on the heap"
	if r.Moved {
		what = "the variable " + r.Expr + " was moved to the heap"
	}
	if len(r.Flow) == 0 {
		return []string{what}
	}
	out := []string{what + ":"}
	for _, s := range r.Flow {
		text := s.words()
		if text == "" {
			continue
		}
		where := fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
		if line := where + ": " + text; !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// words puts a step in words, or returns "" for one that only names what the
// neighbouring steps say better.
func (s *Step) words() string {
	switch s.How {
	case "spill", "address-of", "reference", "dot", "dot of pointer", "slice", "dereference", "":
		return ""
	case "too large for stack":
		return s.Expr + " is too large for the stack (64 KiB for what a make or new makes, 128 KiB for a variable)"
	case "non-constant size":
		return s.Expr + " has a size that is known at run time only, which the stack cannot hold"
	case "return":
		return "it is returned: " + s.Expr
	case "call parameter":
		return "it is passed to a call that may keep it: " + s.Expr
	case "interface-converted":
		return s.Expr + " is converted to an interface, behind which the compiler does not see what happens to it"
	case "captured by a closure":
		return s.Expr + " is captured by a closure by reference"
	case "assign", "assign-pair", "assign-pair-func-call", "assign-pair-receive":
		if s.Scope == "{heap}" {
			return "it is stored in memory that outlives the call: " + s.Expr
		}
		if holder(s.Scope) {
			return s.Scope + " holds it: " + s.Expr
		}
		return ""
	case "send":
		return "it is sent on a channel: " + s.Expr
	case "slice-literal-element", "struct literal element", "array literal element", "map literal key", "map literal value":
		if strings.HasPrefix(s.Expr, "...") {
			return ""
		}
		return "it becomes part of " + s.Expr
	}
	return fmt.Sprintf("%s (%s)", s.Expr, s.How)
}

// holder reports whether a scope is a variable of the source.
func holder(scope string) bool {
	return scope != "" && !strings.HasPrefix(scope, "{") && !strings.HasPrefix(scope, "~") && !strings.Contains(scope, ".~")
}
