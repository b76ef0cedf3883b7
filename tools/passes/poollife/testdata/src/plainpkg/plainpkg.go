// Package plainpkg has no pool; others pool its values, and give it theirs.
package plainpkg

type Buf struct {
	b    []byte
	name string
	tail struct{ rest []byte }
}

func (b *Buf) Add(s string) { b.b = append(b.b, s...) }

func (b *Buf) Reset() { b.b = b.b[:0] }

func (b *Buf) Bytes() []byte {
	if b == nil {
		return nil
	}
	return b.b
}

func (b *Buf) From(n int) []byte { return b.b[n:] }

func (b *Buf) Rest() []byte { return b.tail.rest }

func (b *Buf) Copy() []byte { return append([]byte(nil), b.b...) }

func (b *Buf) Name() string { return b.name }

type Msg struct{ Body []byte }

func (m *Msg) SetBody(b []byte) { m.Body = b }

func (m *Msg) CopyBody(b []byte) { m.Body = append(m.Body[:0], b...) }

func Trim(b []byte) []byte { return b[1:] }

func Same(b []byte) []byte { return ([]byte)(b) }

func Clone(b []byte) []byte { return append([]byte{}, b...) }
