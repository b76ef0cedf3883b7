// SPDX-License-Identifier: BSD-3-Clause

// Package unusedignore reports //spare:ignore comments that silence nothing.
package unusedignore
