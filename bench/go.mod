module github.com/spare-go/spare/bench

go 1.26.0

require (
	github.com/spare-go/spare v0.0.0
	github.com/spare-go/spare/codec v0.0.0
)

require github.com/klauspost/compress v1.20.3 // indirect

replace (
	github.com/spare-go/spare => ../
	github.com/spare-go/spare/codec => ../codec
)
