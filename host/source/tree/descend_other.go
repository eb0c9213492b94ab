//go:build !linux

package tree

func (f *folder) descend(dir string) (*folder, error) { return f.stepwise(dir) }

func lasting(*folder) bool { return false }
