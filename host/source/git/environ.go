package git

import (
	"path/filepath"
	"slices"
	"strings"
)

// harmless are the GIT_ variables that say how git reads its own configuration, which is the user's business, and none
// of which repository or which bytes. In CI they are where safe.directory stands.
var harmless = []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_EXEC_PATH", "GIT_DISCOVERY_ACROSS_FILESYSTEM"}

// theirs are the variables with which git describes the repository at hand to a hook: the index of a "commit -a", the
// quarantine of a push.
var theirs = []string{"GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_CONFIG_PARAMETERS"}

// clean returns the environment without anything that could redirect git, and with what keeps it quiet, local and within top.
func (s Settings) clean(top string) []string {
	var keep []string
	for _, kv := range s.Environ {
		name, _, _ := strings.Cut(strings.ToUpper(kv), "=")
		if !strings.HasPrefix(name, "GIT_") && name != "LC_ALL" && name != "LANGUAGE" || allowed(name) {
			keep = append(keep, kv)
		}
	}
	return append(keep, "LC_ALL=C", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_FLUSH=1",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(top))
}

func allowed(name string) bool {
	return slices.Contains(harmless, name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

// sameRepository returns the variables about the repository that the environment is about, names made absolute.
func (s Settings) sameRepository() []string {
	var list []string
	for _, name := range theirs {
		value := s.get(name)
		switch {
		case value == "":
			continue
		case name == "GIT_ALTERNATE_OBJECT_DIRECTORIES":
			parts := filepath.SplitList(value)
			for i, p := range parts {
				parts[i] = s.absolute(p)
			}
			value = strings.Join(parts, string(filepath.ListSeparator))
		case name != "GIT_CONFIG_PARAMETERS":
			value = s.absolute(value)
		}
		list = append(list, name+"="+value)
	}
	return list
}

func (s Settings) get(name string) string {
	for i := len(s.Environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(s.Environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}

func (s Settings) absolute(path string) string { return absolute(s.Dir, path) }

// absolute returns a path that may be relative to dir.
func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
