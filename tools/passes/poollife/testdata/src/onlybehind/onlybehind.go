// Package onlybehind calls methods of interfaces of other packages, of which some have one type in view.
package onlybehind

import (
	"bytes"

	"onlybehind/decl"
	"onlybehind/impl"
)

func scratches(sc decl.Scratch, s string) []byte {
	b := sc.Buf(len(s))
	defer sc.Done(b)
	b.WriteString(s)
	return b.Bytes() // want `memory of b is returned while the deferred call puts it in raws`
}

func serves(srv *decl.Server, s string) string {
	b := srv.S.Buf(len(s))
	b.WriteString(s)
	srv.S.Done(b)
	return b.String() // want `b is used by String after it was put in raws`
}

func far(srv *impl.Service, s string) string {
	b := srv.F.Take()
	b.WriteString(s)
	srv.F.Give(b)
	return b.String() // want `b is used by String after it was put in pool`
}

func farWell(srv *impl.Service, s string) string {
	b := srv.F.Take()
	defer srv.F.Give(b)
	b.WriteString(s)
	return b.String()
}

func scratchesWell(sc decl.Scratch, s string) []byte {
	b := sc.Buf(len(s))
	defer sc.Done(b)
	b.WriteString(s + sc.Name())
	return bytes.Clone(b.Bytes())
}

func several(x decl.Several, s string) string {
	b := x.TakeSome()
	b.WriteString(s)
	x.GiveSome(b)
	return b.String()
}

func splits(x decl.Split, s string) string {
	b := x.TakeSplit()
	b.WriteString(s)
	x.GiveSplit(b)
	return b.String()
}

type own struct{}

func (own) TakeMine() *bytes.Buffer  { return new(bytes.Buffer) }
func (own) GiveMine(b *bytes.Buffer) {}
func (own) String() string           { return "" }

func usesMine(x decl.Mine, s string) string {
	b := x.TakeMine()
	b.WriteString(s)
	x.GiveMine(b)
	return b.String()
}
