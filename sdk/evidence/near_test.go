package evidence

import (
	"slices"
	"testing"
)

func TestVariants(t *testing.T) {
	for planned, written := range map[string][]string{
		"src/models/album.ts": {"src/models/album.tsx", "src/models/album/index.ts", "src/models/Album.ts",
			"src/models/albumModel.ts"},
		"src/models/album.py": {"src/models/album/__init__.py", "src/models/album.pyi"},
		"src/pages/LoginPage.tsx": {"src/pages/Login.tsx", "src/pages/login-page.tsx", "src/pages/login_page.tsx",
			"src/pages/loginPage.tsx", "src/pages/LoginPage.jsx"},
		"src/album.test.ts":          {"src/__tests__/album.test.ts"},
		"src/auth.rs":                {"src/auth/mod.rs", "src/auth/auth.rs"},
		"config/ci.yml":              {"config/ci.yaml"},
		"packages/core/src/-odd-.ts": {"packages/core/src/-odd-.js"},
	} {
		found := variants(planned)
		for _, path := range written {
			if !slices.ContainsFunc(found, func(v variant) bool { return v.path == path }) {
				t.Errorf("variants of %s: found %v, expected %s among them", planned, found, path)
			}
		}
	}
	for _, path := range []string{"", "src/", "Makefile", "src/.env"} {
		if found := variants(path); found != nil {
			t.Errorf("variants of %q: found %v, expected none", path, found)
		}
	}
}
