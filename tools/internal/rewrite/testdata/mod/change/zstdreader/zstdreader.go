package zstdreader

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

func size(r io.Reader) (int64, error) {
	z, err := zstd.NewReader(r) // site
	if err != nil {
		return 0, err
	}
	defer z.Close()
	return io.Copy(io.Discard, z)
}
