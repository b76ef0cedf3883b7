// SPDX-License-Identifier: BSD-3-Clause

// Package real imports what "spare vet" is run over to see its precision: libraries and a server
// that live on pools. What it reports there, with a verdict for each line, is in reports.txt;
// ".ci/run real" compares.
package real

import (
	_ "github.com/cockroachdb/pebble/v2"
	_ "github.com/gofiber/fiber/v2"
	_ "github.com/klauspost/compress/gzip"
	_ "github.com/klauspost/compress/s2"
	_ "github.com/klauspost/compress/zip"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/nats-io/nats-server/v2/server"
	_ "github.com/valyala/fasthttp"
	_ "go.uber.org/zap"
	_ "google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip"
)
