// SPDX-License-Identifier: BSD-3-Clause

package flow

// WalkAnyway makes each walk that would end as the one before did be walked.
func WalkAnyway(on bool) { walkAnyway = on }

// WalkToEnd makes no walk be given up early.
func WalkToEnd(on bool) { walkToEnd = on }
