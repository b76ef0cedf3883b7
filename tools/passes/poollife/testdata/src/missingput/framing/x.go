package framing

// An Encoder appends a frame.
type Encoder interface {
	Append(dst, src []byte) ([]byte, error)
}

// Default is set by init functions.
var Default Encoder

type Writer struct{ buf []byte }

func NewWriter(buf []byte) *Writer { return &Writer{buf} }

func (w *Writer) Add(p []byte) (err error) {
	w.buf, err = Default.Append(w.buf, p)
	return err
}

func (w *Writer) Bytes() []byte { return w.buf }
