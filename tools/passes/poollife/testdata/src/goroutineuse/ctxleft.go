// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"context"
	"sync"
)

// What is known of a peer is in the context of its connection.

type peerNote struct{ name, last string }

var peerNotes = sync.Pool{New: func() any { return new(peerNote) }}

func endNote(n *peerNote) {
	*n = peerNote{}
	peerNotes.Put(n)
}

type noteKey struct{}
type lineKey struct{}

func noteIn(ctx context.Context) *peerNote {
	n, _ := ctx.Value(noteKey{}).(*peerNote)
	return n
}

func withNote(ctx context.Context, name string) context.Context {
	n := peerNotes.Get().(*peerNote)
	n.name = name
	return context.WithValue(ctx, noteKey{}, n)
}

type peerLine struct{ calls chan string }

type Peers struct {
	serve func(ctx context.Context, call string) error
}

func (p *Peers) Joined(ctx context.Context, name string) context.Context {
	return context.WithValue(withNote(ctx, name), lineKey{}, &peerLine{make(chan string)})
}

func (p *Peers) Calls(ctx context.Context) {
	line := ctx.Value(lineKey{}).(*peerLine)
	for call := range line.calls {
		go func() {
			_ = p.serve(ctx, call)
		}()
	}
}

// Wrong: the calls that are served have the context.
func (p *Peers) Left(ctx context.Context) {
	endNote(noteIn(ctx)) // want `what is put here is in the context, which goroutines that Calls starts have`
	close(ctx.Value(lineKey{}).(*peerLine).calls)
}

// Right: who leaves waits for the calls.
type waitedLine struct {
	calls2 chan string
	served sync.WaitGroup
}

type WaitedPeers struct {
	serve func(ctx context.Context, call string) error
}

func (p *WaitedPeers) Joined(ctx context.Context, name string) context.Context {
	return context.WithValue(withNote(ctx, name), lineKey{}, &waitedLine{calls2: make(chan string)})
}

func (p *WaitedPeers) Calls(ctx context.Context) {
	line := ctx.Value(lineKey{}).(*waitedLine)
	for call := range line.calls2 {
		line.served.Add(1)
		go func() {
			defer line.served.Done()
			_ = p.serve(ctx, call)
		}()
	}
}

func (p *WaitedPeers) Left(ctx context.Context) {
	line := ctx.Value(lineKey{}).(*waitedLine)
	close(line.calls2)
	line.served.Wait()
	endNote(noteIn(ctx))
}

// Right: the calls are served with a context of their own.
type ownLine struct{ calls3 chan string }

type OwnPeers struct {
	serve func(ctx context.Context, call string) error
}

func (p *OwnPeers) Joined(ctx context.Context, name string) context.Context {
	return context.WithValue(withNote(ctx, name), lineKey{}, &ownLine{make(chan string)})
}

func (p *OwnPeers) Calls(ctx context.Context) {
	line := ctx.Value(lineKey{}).(*ownLine)
	for call := range line.calls3 {
		go func() {
			_ = p.serve(context.Background(), call)
		}()
	}
}

func (p *OwnPeers) Left(ctx context.Context) {
	endNote(noteIn(ctx))
	close(ctx.Value(lineKey{}).(*ownLine).calls3)
}

// Right: the calls are served one after another.
type oneLine struct{ calls4 chan string }

type OnePeers struct {
	serve func(ctx context.Context, call string) error
}

func (p *OnePeers) Calls(ctx context.Context) {
	line := ctx.Value(lineKey{}).(*oneLine)
	for call := range line.calls4 {
		_ = p.serve(ctx, call)
	}
}

func (p *OnePeers) Left(ctx context.Context) {
	endNote(noteIn(ctx))
	close(ctx.Value(lineKey{}).(*oneLine).calls4)
}
