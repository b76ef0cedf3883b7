// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/registry"
)

func init() {
	registry.Register = func(name string, m *magazine.Pool) { register(name, m) }
}
