package scratchbytes

import "io"

func copyAll(w io.Writer, r io.Reader, size int) (n int, err error) {
	buf := make([]byte, size) // site
	for {
		k, err := r.Read(buf)
		if k > 0 {
			m, err := w.Write(buf[:k])
			n += m
			if err != nil {
				return n, err
			}
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
