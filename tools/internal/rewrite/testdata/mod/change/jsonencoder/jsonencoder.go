package jsonencoder

import (
	"encoding/json"
	"io"
)

func write(w io.Writer, v any) error {
	return json.NewEncoder(w).Encode(v) // site
}
