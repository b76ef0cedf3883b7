package jsonindent

import (
	"encoding/json"
	"io"
)

func write(w io.Writer, v any) error {
	enc := json.NewEncoder(w) // site
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
