// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// The standard library's maps of lists have methods for what is done with their keys.

// What a method of such a map does.
const (
	keyAsked  = 1 + iota
	keyAdded  // beside what is there
	keySet    // in place of what is there
	keyCopied // with all others
)

var keyed = map[string]uint8{
	"net/http.Header.Get": keyAsked, "net/http.Header.Values": keyAsked, "net/http.Header.Add": keyAdded, "net/http.Header.Set": keySet,
	"net/http.Header.Clone": keyCopied, "net/http.Header.Write": keyCopied,
	"net/textproto.MIMEHeader.Get": keyAsked, "net/textproto.MIMEHeader.Values": keyAsked, "net/textproto.MIMEHeader.Add": keyAdded, "net/textproto.MIMEHeader.Set": keySet,
	"net/url.Values.Get": keyAsked, "net/url.Values.Has": keyAsked, "net/url.Values.Add": keyAdded, "net/url.Values.Set": keySet, "net/url.Values.Encode": keyCopied,
}

// keyedMethod sees such a method called on what the field holds. Keys that are set and asked one by one may
// be the same for all users; what is copied with all keys has those that were set for one of them.
func (g *gathering) keyedMethod(c ssa.CallInstruction, what uint8) {
	switch what {
	case keyAdded:
		g.grown = append(g.grown, c)
	case keyCopied:
		g.read = c
	case keySet:
		args := c.Common().Args
		if _, isConst := args[1].(*ssa.Const); !isConst {
			g.grown = append(g.grown, c)
		}
	}
}
