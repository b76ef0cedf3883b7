package a

import "sync"

// What a pool gives is of the type that its New makes: the assertion does not fail.
type chunk struct{ b []byte }

var chunks = sync.Pool{New: func() any { return new(chunk) }}

func takeChunk() *chunk {
	c, ok := chunks.Get().(*chunk)
	if !ok {
		return nil
	}
	return c
}

func giveChunk(c *chunk) { chunks.Put(c) }

func takeAndGive() { giveChunk(takeChunk()) }

func mayTakeChunk(n int) *chunk {
	if n == 0 {
		return nil
	}
	return takeChunk()
}

func mayTakeAndGive(n int) {
	c := mayTakeChunk(n)
	giveChunk(c) // want `c, which is nil, is put in chunks`
}
