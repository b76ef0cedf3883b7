module github.com/spare-go/spare/codec

go 1.26.0

require github.com/spare-go/spare v0.0.0

require github.com/klauspost/compress v1.20.3

replace github.com/spare-go/spare => ../
