package jsonmarshal

import (
	"encoding/json"
	"io"
)

// buffer is a name that the file has already.
var buffer, spare int

func write(w io.Writer, v any) error {
	b, err := json.Marshal(v) // site
	if err != nil {
		return err
	}
	buffer += len(b) + spare
	_, err = w.Write(b)
	return err
}
