// SPDX-License-Identifier: BSD-3-Clause

package format_test

import (
	"testing"

	"github.com/spare-go/spare/tools/internal/format"
)

func TestFormat(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{format.Duration(0), "0 ns"},
		{format.Duration(0.3456), "0.346 ns"},
		{format.Duration(12.345), "12.3 ns"},
		{format.Duration(999.4), "999 ns"},
		{format.Duration(999.7), "1.00 µs"},
		{format.Duration(1.5e6), "1.50 ms"},
		{format.Duration(123e9), "123 s"},
		{format.Bytes(0), "0 B"},
		{format.Bytes(0.00002), "<0.01 B"},
		{format.Bytes(21.333), "21.3 B"},
		{format.Bytes(10239), "10239 B"},
		{format.Bytes(10240), "10.0 KiB"},
		{format.Bytes(1 << 20), "1.00 MiB"},
		{format.Bytes(5 << 30), "5.00 GiB"},
		{format.Count(0), "0"},
		{format.Count(0.0000001), "<0.001"},
		{format.Count(1.0 / 3), "0.333"},
		{format.Count(1.9), "1.90"},
		{format.Count(10024), "10024"},
		{format.Count(10024.06), "10024"},
		{format.Count(123456789), "123M"},
		{format.Ratio(0.0321), "0.0321"},
		{format.Ratio(0.00002), "2.0e-05"},
		{format.Ratio(1), "1.00"},
		{format.Percent(0.0312), "3.12%"},
		{format.Percent(0), "0%"},
		{format.Percent(5e-7), "<0.01%"},
		{format.Interval(0.9, 1.1), "[0.900, 1.10]"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
