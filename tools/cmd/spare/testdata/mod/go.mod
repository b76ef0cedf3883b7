module mod.example

go 1.26
