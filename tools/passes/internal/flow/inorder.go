// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/token"
)

// Positions grow in the order in which a driver happened to read the files, and some read several at a time. What comes
// first must not hang on that.

// inOrder compares positions: of one file as they are, of several by the place of the files in the package.
func (a *analysis) inOrder(p, q token.Pos) int {
	if a.sorted() {
		return cmp.Compare(p, q)
	}
	return cmp.Or(cmp.Compare(a.fileAt(p), a.fileAt(q)), cmp.Compare(p, q))
}

// sorted reports whether the files of the package were read in their order, as with the go command.
func (a *analysis) sorted() bool {
	if !a.filesSeen {
		a.filesSeen = true
		for n, f := range a.pass.Files {
			a.mixedFiles = a.mixedFiles || n > 0 && f.FileStart < a.pass.Files[n-1].FileStart
		}
	}
	return !a.mixedFiles
}

// fileAt is the number of the file that a position is in, of the package's.
func (a *analysis) fileAt(p token.Pos) int {
	for n, f := range a.pass.Files {
		if f.FileStart <= p && p <= f.FileEnd {
			return n
		}
	}
	return -1
}
