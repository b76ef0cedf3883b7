// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/vetcmd"
	"github.com/spare-go/spare/tools/passes/pattern"
)

func TestHelp(t *testing.T) {
	var out, errs bytes.Buffer
	if exit := vetcmd.Run(t.Context(), &out, &errs, []string{"-h"}); exit != 0 || errs.Len() > 0 {
		t.Errorf("exit %d, %s", exit, &errs)
	}
	for _, name := range pattern.Names() {
		if !strings.Contains(out.String(), "  "+name+" ") || !strings.Contains(out.String(), pattern.Title(name)+"\n") {
			t.Errorf("%s is not listed", name)
		}
		var page, errs bytes.Buffer
		if exit := vetcmd.Run(t.Context(), &page, &errs, []string{"-h", name}); exit != 0 || page.String() != pattern.Page(name) || errs.Len() > 0 {
			t.Errorf("%s: exit %d, %s", name, exit, &errs)
		}
	}
	out.Reset()
	if exit := vetcmd.Run(t.Context(), &out, &errs, []string{"-h", "put-nil", "nonsense"}); exit != 2 || out.Len() > 0 || !strings.Contains(errs.String(), `"nonsense"`) {
		t.Errorf("nonsense: exit %d, %q, %s", exit, &out, &errs)
	}
}
