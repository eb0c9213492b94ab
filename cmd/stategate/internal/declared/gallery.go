package declared

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/declare/gallery"
)

// Gallery returns the names of the declarations in the gallery.
func Gallery() (names []string) {
	files, _ := fs.Glob(gallery.Files, "*.yaml")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, ".yaml"))
	}
	return names
}

// Copy returns a gallery declaration and its fixtures, by path, renamed for another workflow.
func Copy(from, name string) (map[string]string, error) {
	list, err := fs.Glob(gallery.Files, from+"/*.txtar")
	files := map[string]string{}
	for _, file := range append(list, from+".yaml") {
		text, wrong := fs.ReadFile(gallery.Files, file)
		if wrong != nil {
			err = wrong
		}
		renamed := strings.Replace(string(text), "\nworkflow: "+from+"\n", "\nworkflow: "+name+"\n", 1)
		renamed = strings.Replace(renamed, "\n"+from+": observed ", "\n"+name+": observed ", 1)
		files[strings.Replace(file, from, name, 1)] = renamed
	}
	return files, err
}

// An offer is a gallery declaration, with the paths of files that it fits and a text that they must contain.
type offer struct {
	name, has string
	globs     []string
}

var offers = []offer{
	{"features", `"features"`, []string{"feature_list.json"}},
	{"feature-passes", `"passes"`, []string{"feature_list.json"}},
	{"ralph", `"userStories"`, []string{"prd.json", "*/prd.json", "*/ralph/prd.json"}},
	{"task-plan", "**Status:**", []string{"task_plan.md"}},
	{"conductor", "", []string{"conductor/tracks.md"}},
	{"adr", "", []string{"doc*/adr/[0-9]*.md", "doc*/adrs/[0-9]*.md", "doc*/decisions/[0-9]*.md", "adr/[0-9]*.md"}},
}

// Offers returns the gallery declarations that fit files in a directory, each with one such file. It offers at most one
// declaration per file.
func Offers(dir string) (names, files []string) {
	for _, o := range offers {
		for _, glob := range o.globs {
			found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(glob)))
			if len(found) == 0 || !contains(found[0], o.has) {
				continue
			}
			file := path.Join(path.Dir(glob), filepath.Base(found[0]))
			if rel, err := filepath.Rel(dir, found[0]); err == nil {
				file = filepath.ToSlash(rel)
			}
			if !slices.Contains(files, file) {
				names, files = append(names, o.name), append(files, file)
			}
			break
		}
	}
	return names, files
}

// mostRead is the number of bytes that are read at the start of a file to decide whether a
// declaration fits it.
const mostRead = 64 << 10

func contains(file, text string) bool {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	data := make([]byte, min(info.Size(), mostRead))
	n, _ := f.Read(data)
	return strings.Contains(string(data[:n]), text)
}
