package gzipwriter

import (
	"compress/gzip"
	"encoding/json"
	"io"
)

func write(w io.Writer, v any) error {
	gz := gzip.NewWriter(w) // site
	gz.Name = "v.json"
	if err := json.NewEncoder(gz).Encode(v); err != nil {
		return err
	}
	return gz.Close()
}
