// Package engine holds what the host and the test kit share and authors do not use: snapshot reads documents and builds
// requests, glob matches names, edit makes edits, vet tries remedies, wasm reads modules, scaffold
// writes new projects.
//
// These packages promise nothing: they change with the host. The packages for plugin authors are beside them, in sdk.
package engine
