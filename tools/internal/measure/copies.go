// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// copies are the test binaries of a round. Those of the round before are there
// until the new ones have been written, so that they get other pages.
type copies struct {
	dir   string // the files are in directories below it
	round int
	now   map[copyKey]string
	last  string // the directory of the round before
}

// A copyKey tells the copies of a round apart: one for each binary, and one more
// for those replicas that need their own.
type copyKey struct {
	binary  string
	replica bool
}

func (c *copies) path() string { return filepath.Join(c.dir, fmt.Sprint("round", c.round)) }

// next begins a round.
func (c *copies) next() {
	if c.last != "" {
		os.RemoveAll(c.last)
	}
	if c.round > 0 {
		c.last = c.path()
	}
	c.round++
	c.now = make(map[copyKey]string)
}

// of returns this round's copy of the binary of a case.
func (c *copies) of(of *Case, replica bool) (string, error) {
	key := copyKey{of.Side.Binaries[of.Package.ImportPath], replica}
	if path, ok := c.now[key]; ok {
		return path, nil
	}
	if err := os.MkdirAll(c.path(), 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(c.path(), fmt.Sprintf("%d-%s", len(c.now), filepath.Base(key.binary)))
	if err := copyFile(path, key.binary); err != nil {
		return "", fmt.Errorf("copying the test binary of package %s: %w", of.Package.ImportPath, err)
	}
	c.now[key] = path
	return path, nil
}

// remove removes what is left of the copies.
func (c *copies) remove() {
	if c.last != "" {
		os.RemoveAll(c.last)
	}
	if c.round > 0 {
		os.RemoveAll(c.path())
	}
}

// copyFile copies an executable.
func copyFile(to, from string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if e := dst.Close(); err == nil {
		err = e
	}
	return err
}
