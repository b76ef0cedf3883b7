// SPDX-License-Identifier: BSD-3-Clause

//go:build ignore

// Generate writes the pages of the patterns to docs/vet.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/spare-go/spare/tools/passes/pattern"
)

func main() {
	dir := filepath.Join("..", "..", "..", "docs", "vet")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		log.Fatal(err)
	}
	for _, name := range pattern.Names() {
		if err := os.WriteFile(filepath.Join(dir, name+".md"), []byte(pattern.Page(name)), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
