// Package engine contains the packages that the host and the test kit share and that plugin authors do not use:
// snapshot reads documents and builds requests, glob matches paths, edit applies edits, vet tries remedies, wasm
// reads modules, scaffold writes new projects.
//
// These packages make no compatibility promises: they change with the host. The packages for plugin authors are the
// others in sdk.
package engine
