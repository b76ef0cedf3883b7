module github.com/spare-go/spare/bench

go 1.26.0

require (
	github.com/goccy/go-json v0.12.0
	github.com/klauspost/compress v1.20.3
	github.com/segmentio/encoding v0.5.4
	github.com/spare-go/spare v0.0.0
	github.com/spare-go/spare/codec v0.0.0
	github.com/valyala/bytebufferpool v1.0.0
)

require (
	github.com/segmentio/asm v1.1.3 // indirect
	golang.org/x/sys v0.0.0-20211110154304-99a53858aa08 // indirect
)

replace (
	github.com/spare-go/spare => ../
	github.com/spare-go/spare/codec => ../codec
)
