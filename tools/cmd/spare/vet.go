// SPDX-License-Identifier: BSD-3-Clause

package main

import "github.com/spare-go/spare/tools/internal/vetcmd"

var vetCommand = command{
	name:  "vet",
	short: "report misuse of pools",
	run:   vetcmd.Run,
}
