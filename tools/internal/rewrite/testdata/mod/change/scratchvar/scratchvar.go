package scratchvar

import (
	"io"
	"strconv"
)

func numbers(w io.Writer, vs []int) error {
	var line []byte
	for _, v := range vs {
		line = strconv.AppendInt(line, int64(v), 10)
		line = append(line, '\n') // site
	}
	_, err := w.Write(line)
	return err
}
