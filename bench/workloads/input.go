// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"encoding/json"
	"math"
	"math/rand/v2"
)

// text200 is a text of 200 bytes, as short messages of services are.
const text200 = "The quick brown fox jumps over the lazy dog, then rests beside the river until evening; " +
	"a heron watches it from the reeds, and neither of the two moves before the first star shows above the hill, done"

// jsonDocument returns the same JSON document of size bytes each time: an array of
// records such as a list endpoint answers with, padded with spaces. Size must
// leave room for one record; 256 bytes do.
func jsonDocument(size int) []byte {
	type entry struct {
		ID     int      `json:"id"`
		Name   string   `json:"name"`
		Email  string   `json:"email"`
		Score  float64  `json:"score"`
		Active bool     `json:"active"`
		Tags   []string `json:"tags"`
	}
	names := []string{"Ada", "Brian", "Carol", "Dennis", "Edsger", "Frances", "Grace", "Ken"}
	tags := []string{"admin", "beta", "billing", "eu-west", "mobile", "trial"}
	rng := rand.New(rand.NewPCG(1, 2))
	doc := make([]byte, 0, size)
	doc = append(doc, '[')
	for id := 1; ; id++ {
		name := names[rng.IntN(len(names))]
		e := entry{
			ID:     id,
			Name:   name,
			Email:  string(rune('a'+rng.IntN(26))) + "." + name + "@example.com",
			Score:  float64(rng.IntN(100_000)) / 100,
			Active: rng.IntN(4) != 0,
			Tags:   []string{tags[rng.IntN(len(tags))], tags[rng.IntN(len(tags))]},
		}
		b, err := json.Marshal(e)
		if err != nil {
			panic(err) // an entry holds nothing that JSON cannot express
		}
		if len(doc)+len(b)+len(",]") > size {
			break
		}
		if id > 1 {
			doc = append(doc, ',')
		}
		doc = append(doc, b...)
	}
	doc = append(doc, ']')
	for len(doc) < size {
		doc = append(doc, ' ')
	}
	return doc
}

// lognormalSizes returns the same n sizes each time, drawn from a lognormal
// distribution with the given median and a sigma of 1: half of them lie between
// 0.5 and 2 times the median, one in a thousand above 20 times.
func lognormalSizes(n int, median float64) []int {
	rng := rand.New(rand.NewPCG(3, 4))
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = max(1, int(math.Round(median*math.Exp(rng.NormFloat64()))))
	}
	return sizes
}
