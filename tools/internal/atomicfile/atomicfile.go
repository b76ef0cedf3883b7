// SPDX-License-Identifier: BSD-3-Clause

// Package atomicfile writes files that are there whole or not at all.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is being written. It takes its name when [File.Commit] succeeds;
// until then a file of that name keeps its contents.
type File struct {
	*os.File
	path string // the name it will take; "" when there is nothing to rename
}

// Create begins a file at path. A path that names something other than a
// regular file, such as /dev/stdout, is written directly.
func Create(path string) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays a link
	}
	mode := fs.FileMode(0o666)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{File: f}, err
	default:
		// Renaming needs no permission to write the file itself; ask for it, so
		// that a read-only file is respected.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		f.Close()
		mode = info.Mode().Perm()
	}
	dir, base := filepath.Split(path)
	f, err := os.OpenFile(filepath.Join(dir, "."+base+"."+rand.Text()[:8]+".tmp"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err // name the file that the user named, not ours
		}
		return nil, &fs.PathError{Op: "create", Path: path, Err: err}
	}
	return &File{File: f, path: path}, nil
}

// Commit gives the file its name.
func (f *File) Commit() error {
	if f.path == "" {
		return f.Close()
	}
	err := f.Close()
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	f.path = ""
	return err
}

// Abort removes what was written. After Commit it does nothing.
func (f *File) Abort() {
	if f.path != "" {
		f.Close()
		os.Remove(f.Name())
		f.path = ""
	}
}
