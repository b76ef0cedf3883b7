// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"cmp"
	"strings"
)

// A shortfall says that not everything was analysed.
type shortfall struct {
	messages string // what the go command and the analyzers said, or ""
	summary  string // in one line, with what to do
}

// String is what there is to say, without the summary of messages.
func (s *shortfall) String() string { return cmp.Or(s.messages, s.summary) }

// shortfall returns what kept packages from being analysed, nil if nothing did.
// messages are what was said about it, and analysed is how many packages were
// done all the same.
func (v *vetting) shortfall(messages string, analysed int) *shortfall {
	if messages == "" {
		return nil
	}
	s := &shortfall{messages: messages}
	names := failedPackages(messages)
	switch {
	case len(names) > 0:
		s.summary = "not analysed: " + some(names) + "; mend the errors above and run again"
	case analysed > 0:
		s.summary = "not everything was analysed; mend what is named above and run again"
	case v.env.moduleless():
		s.summary = "nothing was analysed: no go.mod is in this directory or above it; run spare vet in a module, or make one with go mod init"
	case v.listed == nil && len(v.named.paths) == 0:
		s.summary = "nothing was analysed: no package matches " + strings.Join(v.packages, " ") + "; see go help packages for how to name some"
	default:
		s.summary = "nothing was analysed: the go command cannot load what is named above; mend that and run again"
	}
	return s
}

// standardLibrary is the shortfall where there is nothing but the standard library.
func (n named) standardLibrary() *shortfall {
	return &shortfall{summary: "nothing was analysed: spare vet leaves the standard library out, and no other package is named (" + some(n.paths) +
		"); to analyse it, run go vet -vettool=$(which spare) -poollife.std PACKAGES"}
}
