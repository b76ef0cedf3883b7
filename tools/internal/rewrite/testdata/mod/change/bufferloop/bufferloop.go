package bufferloop

import (
	"bytes"
	"io"
)

func all(w io.Writer, rows [][]string) error {
	for _, row := range rows {
		if len(row) == 0 {
			continue
		}
		var b bytes.Buffer // site
		for i, col := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if col == "" {
				continue
			}
			b.WriteString(col)
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
