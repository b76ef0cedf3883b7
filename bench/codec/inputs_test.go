// SPDX-License-Identifier: BSD-3-Clause

package codec

import (
	"fmt"
	"math/rand/v2"

	"github.com/spare-go/spare"
)

var inputs = []struct {
	name string
	data []byte
}{
	{"json200", document(200)},
	{"json64k", document(64 << 10)},
}

// messages are of the size at which the codecs cost more than the data. A message that comes
// again and again, as in most benchmarks, is one of which the processor predicts every branch; of many
// in turn it cannot.
var messages = []struct {
	name string
	data [][]byte
}{
	{"text200", [][]byte{[]byte("The quick brown fox jumps over the lazy dog, then rests beside the river until evening; " +
		"a heron watches it from the reeds, and neither of the two moves before the first star shows above the hill, done")}},
	{"json200", [][]byte{document(200)}},
	{"json200x64", documents(64, 200)},
	{"json100x64", documents(64, 100)},
}

// document is like JSON, n bytes long.
func document(n int) []byte { return documentOf(rand.New(rand.NewPCG(1, 2)), n) }

// documents are count documents that differ.
func documents(count, n int) [][]byte {
	r := rand.New(rand.NewPCG(3, 4))
	docs := make([][]byte, count)
	for i := range docs {
		docs[i] = documentOf(r, n)
	}
	return docs
}

func documentOf(r *rand.Rand, n int) []byte {
	b := []byte{'['}
	for len(b) < n {
		b = fmt.Appendf(b, `{"id":%d,"name":"item %d","price":%d.%02d,"tags":["a%d","b"]},`, r.IntN(1e6), r.IntN(1000), r.IntN(500), r.IntN(100), r.IntN(20))
	}
	return b[:n]
}

var scratch spare.Slices[byte]
