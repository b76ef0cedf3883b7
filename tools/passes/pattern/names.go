// SPDX-License-Identifier: BSD-3-Clause

// Package pattern names the kinds of pool misuse that spare vet reports. A
// name is the Category of every diagnostic of its kind, the word that
// //spare:ignore, -only and -skip take, and the name of its page.
package pattern

// The patterns. Their names are fixed: scripts and ignore comments use them.
const (
	UseAfterPut       = "use-after-put"
	ReturnAlias       = "return-alias"
	StoreAlias        = "store-alias"
	GoroutineUse      = "goroutine-use"
	DoublePut         = "double-put"
	MissingPut        = "missing-put"
	MissingReset      = "missing-reset"
	RetainedRefs      = "retained-refs"
	OversizeRetention = "oversize-retention"
	StaleHeader       = "stale-header"
	PutByValue        = "put-by-value"
	PutLocalAddr      = "put-local-addr"
	PutNil            = "put-nil"
	WrongType         = "wrong-type"
	WrongPool         = "wrong-pool"
	PoolCopied        = "pool-copied"
	BootstrapSelfRef  = "bootstrap-self-ref"
	StackAlias        = "stack-alias"

	// UnusedIgnore is an ignore comment that silences nothing. It is no
	// misuse of a pool, but has a page.
	UnusedIgnore = "unused-ignore"
)

// All lists every pattern of pool misuse, correctness first.
var All = []string{
	UseAfterPut,
	ReturnAlias,
	StoreAlias,
	GoroutineUse,
	DoublePut,
	MissingReset,
	PutNil,
	WrongType,
	WrongPool,
	PoolCopied,
	StackAlias,
	MissingPut,
	RetainedRefs,
	OversizeRetention,
	StaleHeader,
	PutByValue,
	PutLocalAddr,
	BootstrapSelfRef,
}
