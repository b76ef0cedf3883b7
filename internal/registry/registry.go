// SPDX-License-Identifier: BSD-3-Clause

// Package registry lets a package of this module that uses the engine without a
// spare.Pool around it be listed by spare.All all the same.
package registry

import "github.com/spare-go/spare/internal/magazine"

// Register lists m under a name. Package spare sets it.
var Register func(name string, m *magazine.Pool)
