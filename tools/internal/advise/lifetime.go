// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"fmt"
	"math"

	"github.com/spare-go/spare/tools/internal/format"
)

// A life is how long the values of a site live, as far as the profile tells.
//
// The estimate is Little's law: what is in use on average, divided by the rate
// at which it is made. A heap profile counts in use as of the last collection,
// and that includes all that was allocated while the collection marked, dead or
// not. No estimate can be below that, so that each comes with its floor: the
// shortest lifetime that any site of the profile shows.
type life struct {
	known    bool
	length   float64 // operations or seconds
	floor    float64 // in the same unit; 0 if the world was at rest
	kept     float64 // the share of what was allocated that was in use
	objects  float64 // in use
	retained bool
	dead     bool // nothing at all was in use, at rest
	rest     bool
}

// How much has to be in use for values to count as retained: half of all that
// were made, and, where the profile has a floor, well above that of others.
const (
	keptShare  = 0.5
	aboveFloor = 4
	fewObjects = 4 // fewer say nothing: locals of the last operation, the runtime's own
)

// floor returns the shortest lifetime that a site with enough values shows, and
// the least share in use.
func floor(sites []*site, live *Live) (length, kept float64) {
	length, kept = math.Inf(1), math.Inf(1)
	for _, s := range sites {
		if s.liveAlloc >= 30 && s.Traffic.Objects > 0 {
			length = min(length, s.live/s.Traffic.Objects)
			kept = min(kept, s.live/s.liveAlloc)
		}
	}
	if live.Rest || math.IsInf(length, 1) {
		return 0, 0
	}
	return length, kept
}

func (s *site) lifetime(live *Live, floorLen, floorKept float64, several bool) life {
	if live == nil || live.Samples == nil || s.liveAlloc == 0 || s.Traffic.Objects == 0 {
		return life{}
	}
	l := life{known: true, objects: s.live, kept: s.live / s.liveAlloc, floor: floorLen, rest: live.Rest}
	l.length = s.live / s.Traffic.Objects
	l.dead = live.Rest && s.live == 0
	switch {
	case s.live < fewObjects:
	case live.Rest:
		l.retained = l.kept >= keptShare && s.liveAlloc > 2*fewObjects || live.Count > 0 && l.length > 0.5*live.Count && live.Count > 2
	default:
		// With one site there is nothing to tell the floor from it.
		l.retained = several && l.kept >= keptShare && l.kept > aboveFloor*floorKept
	}
	return l
}

// words says it for people.
func (l *life) words(per string) string {
	unit := func(v float64) string {
		switch per {
		case "op":
			return format.Count(v) + " operations"
		case "s":
			return format.Duration(v * 1e9)
		}
		return format.Percent(v)
	}
	switch {
	case !l.known:
		return "unknown: the profile does not say what is in use"
	case l.retained:
		return fmt.Sprintf("long: %s of all that were made were still in use", format.Percent(l.kept))
	case l.dead:
		return "short: none was in use after the run"
	case l.rest && l.objects < fewObjects:
		return fmt.Sprintf("short: %s in use after the run", format.Count(l.objects))
	case l.objects == 0:
		return "short: none was in use as of the last collection"
	case per == "":
		return fmt.Sprintf("%s of all that were made were in use", format.Percent(l.kept))
	case l.length <= 2*l.floor:
		return fmt.Sprintf("at most %s, which is the floor: what is made during a collection counts as in use", unit(max(l.length, l.floor)))
	case l.floor > 0:
		return fmt.Sprintf("about %s (floor %s)", unit(l.length), unit(l.floor))
	}
	return fmt.Sprintf("about %s", unit(l.length))
}
