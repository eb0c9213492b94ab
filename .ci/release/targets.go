package main

// A target is a system that a release supports, with its name in each package format.
type target struct {
	os, arch  string // Go's
	node, cpu string // npm's
	wheel     string // the wheel's platforms; the program is static, so it runs with every C library
}

// go.dev/wiki/MinimumRequirements lists the macOS version that each Go version needs.
var targets = []target{
	{"linux", "amd64", "linux", "x64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "darwin", "x64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "darwin", "arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win32", "x64", "win_amd64"},
	{"windows", "arm64", "win32", "arm64", "win_arm64"},
}
