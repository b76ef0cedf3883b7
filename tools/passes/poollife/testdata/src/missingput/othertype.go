package missingput

import (
	"os"
	"sync"
)

// A New that may give an error in place of a value.
var files = sync.Pool{New: func() any {
	f, err := os.CreateTemp("", "")
	if err != nil {
		return err
	}
	return f
}}

func useFile(p []byte) error {
	v := files.Get()
	f, ok := v.(*os.File)
	if !ok {
		return v.(error)
	}
	defer files.Put(f)
	_, err := f.Write(p)
	return err
}

func loseFile(p []byte) error {
	v := files.Get() // want `v, taken from files at line 29, is not put back on the path that ends here`
	f, ok := v.(*os.File)
	if !ok {
		return v.(error)
	}
	if len(p) == 0 {
		return nil
	}
	defer files.Put(f)
	_, err := f.Write(p)
	return err
}
