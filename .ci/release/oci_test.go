package main

import "testing"

// TestListed: a plugin's entry contains its URL in the release, its digest and the repository that attests it.
func TestListed(t *testing.T) {
	r := &release{version: version{semver: "1.2.3", tagged: true}}
	got := r.listed("flow", []byte("\x00asm"))
	want := listed{"flow", "https://github.com/stategate/stategate/releases/download/v1.2.3/flow.wasm",
		"cd5d4935a48c0672cb06407bb443bc0087aff947c6b864bac886982c73b3027f", "stategate/stategate"}
	if got != want {
		t.Errorf("%+v, expected %+v", got, want)
	}
}
