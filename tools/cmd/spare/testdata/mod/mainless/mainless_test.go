// SPDX-License-Identifier: BSD-3-Clause

package mainless

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(0) }

func BenchmarkNever(b *testing.B) {}
