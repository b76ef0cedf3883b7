// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import (
	"bytes"
	"io"
	"sync"
)

var heads = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func headed(head string, r io.Reader) io.Reader {
	b := heads.Get().(*bytes.Buffer)
	defer heads.Put(b)
	b.Reset()
	b.WriteString(head)
	return io.MultiReader(bytes.NewReader(b.Bytes()), r) // want `memory of b is returned while the deferred call puts it`
}

func headedCopy(head string, r io.Reader) io.Reader {
	b := heads.Get().(*bytes.Buffer)
	defer heads.Put(b)
	b.Reset()
	b.WriteString(head)
	return io.MultiReader(bytes.NewReader(bytes.Clone(b.Bytes())), r)
}

// The store names the function that is at fault.
type tableRows struct{ list []row }

type row struct{ k, v []byte }

func giveHead(b *bytes.Buffer) { heads.Put(b) }

func (r *tableRows) add(line string) {
	b := heads.Get().(*bytes.Buffer)
	defer giveHead(b)
	b.Reset()
	b.WriteString(line)
	k, v, _ := bytes.Cut(b.Bytes(), []byte("="))
	r.list = append(r.list, row{k, v}) // want `keeps memory of b`
}

func (r *tableRows) addCopy(line string) {
	b := heads.Get().(*bytes.Buffer)
	defer giveHead(b)
	b.Reset()
	b.WriteString(line)
	k, v, _ := bytes.Cut(bytes.Clone(b.Bytes()), []byte("="))
	r.list = append(r.list, row{k, v})
}
