package zstdwriter

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

func compress(w io.Writer, data []byte) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest)) // site
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		z.Close()
		return err
	}
	return z.Close()
}
