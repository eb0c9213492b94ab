# Targets for developers. `make help` lists them.

GO        ?= go
export CGO_ENABLED = 0
PLUGINS   := $(notdir $(patsubst %/,%,$(dir $(wildcard plugins/*/cmd/*/main.go))))
WASM      := $(PLUGINS:%=plugins/build/%.wasm)
# With the texts that the program embeds.
GOFILES   := $(shell find cmd host sdk schemas -type f -not -name '*_test.go') $(shell find plugins/build -name '*.go')
# What guests and the program that builds them consist of, beside the plugins. A change of the host rebuilds no guest.
GUEST     := $(shell find sdk schemas plugins/build/guests plugins/build/pack -name '*.go' -not -name '*_test.go') \
             $(shell find schemas -name '*.json') go.mod go.sum
WORKFLOWS := $(shell find $(PLUGINS:%=plugins/%) -name '*.go' -not -name '*_test.go')
PARTS     := wasm wasm.gz json gen.go
LOST      := $(foreach p,$(PLUGINS),$(if $(word 4,$(wildcard $(PARTS:%=plugins/build/$p.%))),,$p))
TOOLS     := bin/tools
FIX       := -stringsbuilder=false -fmtappendf=false -stringsseq=false
SPELLED   := $(shell git ls-files '*.go' '*.md' '*.sh' '*.yml' '*.yaml' '.ci/*' Makefile 2>/dev/null | grep -v /testdata/)
# Packages whose tests compile few plugins and measure no deadline: the race detector makes the others ten times slower.
# make nightly runs it in all packages.
RACE      ?= $$($(GO) list ./host/... | grep -v -e /sandbox -e /worker -e /journal -e /wasmfile -e /check$$)

.PHONY: help build plugins demo test test-hooks race cover nightly mutants ecosystem lint tidy vuln fuzz bench docs check cross release-test release-dry-run release-tag clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

build: plugins bin/stategate ## build the plugins and bin/stategate

plugins: bin/guests.built ## compile the built-in plugins to WebAssembly

demo: build ## build, then run the gate over sample repositories: one open, one closed
	@sh testdata/demo.sh bin/stategate

# The longest come first, so that both ends of the run are busy. make lint runs go vet.
test: plugins ## build what the tests need and run them all
	TMPDIR="$$(sh testdata/tmpdir.sh)" $(GO) test -timeout 30m -vet=off -ldflags='-s -w' ./cmd/... ./plugins/... ./host/... ./sdk/... ./schemas/... ./testdata/guests

race: plugins ## run tests with the race detector (RACE=packages); needs a C compiler
	@if ! command -v "$$($(GO) env CC)" > /dev/null; then echo "race: skipped: the race detector needs a C compiler"; exit 0; fi; \
	echo CGO_ENABLED=1 $(GO) test -race -vet=off -ldflags='-s -w' $(RACEFLAGS) $(RACE); CGO_ENABLED=1 $(GO) test -race -vet=off -ldflags='-s -w' $(RACEFLAGS) $(RACE)

cover: plugins ## write bin/cover.out and print the test coverage, without the processes that stories run
	$(GO) test -coverprofile=bin/cover.out ./... && $(GO) tool cover -func=bin/cover.out | tail -1

nightly: plugins ## all laws in the sandbox, every remedy, long sweeps, mutants, the race detector everywhere, fuzzing (FUZZTIME=1m)
	STATEGATE_TEST_LONG=1 $(GO) test -count=1 -timeout 60m ./... ./testdata/guests ./testdata/mutants
	$(GO) test -count=1 -timeout 60m ./host/journal -run '^TestKilled$$' -kills=500
	$(GO) test -count=1 -timeout 60m ./host/plugin/cache -run '^TestKilled$$' -kills=500
	$(GO) test -count=1 -timeout 60m ./plugins/ocr ./plugins/iterative-work -run Random -random=5000
	$(GO) test -count=1 -timeout 60m ./plugins/iterative-work -run Histories -histories=200
	STATEGATE_TEST_LONG=1 $(MAKE) release-test
	$(MAKE) race RACE=./... RACEFLAGS='-short -timeout 60m'
	$(MAKE) mutants
	$(MAKE) fuzz FUZZTIME=$(or $(FUZZTIME),1m)

mutants: plugins ## change each plugin in 85 ways; print the changes that its fixtures do not detect (MUTANTS=flags and plugins)
	$(GO) run ./testdata/mutants $(MUTANTS)

ecosystem: build ## run the gate over real repositories on this machine (REAL=folders, OLD=binary, ECOSYSTEM=flags)
	$(GO) run ./testdata/ecosystem $(if $(OLD),-old $(OLD)) $(ECOSYSTEM) bin/stategate $(or $(REAL),../shared/real)

test-hooks: build ## run the hooks in the real pre-commit and, if installed, lefthook; needs the network for modules
	STATEGATE_TEST_HOOKS=1 $(GO) test ./cmd/stategate -count=1 -timeout 20m -run '^TestHooks$$' -v

docs: plugins ## write the generated pages: .github/docs/commands.md, authors/reference.md, workflows/, pictures/, the GitLab component, testdata/contract.txt
	$(GO) test ./cmd/stategate -count=1 -run '^(TestDocs|TestAuthorsReference|TestPictures|TestGitLabComponent|TestContract)$$' -update

release-test: plugins ## build a tag's release twice and install it in every supported way (STATEGATE_TEST_LONG=1: for all systems; STATEGATE_TEST_TIMES=1: in time)
	$(GO) test -count=1 -timeout 60m ./.ci/release

release-dry-run: plugins ## build everything that a release publishes, in dist/ (RELEASE=flags); needs a clone
	$(GO) run ./.ci/release $(RELEASE)

release-tag: ## commit the built plugins outside the branch and tag them (VERSION=v1.2.3)
	@.ci/release-tag "$(VERSION)"

# Built once, from the versions in .ci/tools/go.mod, which needs the newest Go.
$(TOOLS): .ci/tools/go.mod .ci/tools/go.sum .ci/tools/typecheck/main.go
	$(GO) build -C .ci/tools -o $(CURDIR)/$@/ tool ./typecheck
	@touch $@

lint: $(TOOLS) ## gofmt, go vet (also for the sandbox), go fix, staticcheck, unparam, ineffassign, errorlint, misspell, actionlint
	@test -z "$$(gofmt -l .ci cmd host plugins sdk schemas testdata)" || { gofmt -d .ci cmd host plugins sdk schemas testdata; exit 1; }
	$(GO) vet ./... ./.ci/release
	GOOS=wasip1 GOARCH=wasm $(GO) vet ./sdk/plugin
	$(GO) fix -diff $(FIX) ./...
	$(TOOLS)/staticcheck -checks all ./... ./.ci/release
	$(TOOLS)/unparam ./... ./.ci/release
	$(TOOLS)/ineffassign ./... ./.ci/release
	$(TOOLS)/go-errorlint ./... ./.ci/release
	@$(TOOLS)/misspell -error -i untill,progresso,partiel $(SPELLED)
	$(TOOLS)/actionlint
	@if command -v shellcheck > /dev/null; then shellcheck .github/action/*.sh .ci/run .ci/release-tag .ci/languages; else echo "lint: shellcheck is not installed: scripts are not checked"; fi

tidy: ## fail if `go mod tidy` would change go.mod or go.sum
	$(GO) mod tidy -diff
	$(GO) -C .ci/tools mod tidy -diff

vuln: $(TOOLS) ## check the programs for known vulnerabilities; needs the network
	$(TOOLS)/govulncheck ./...

fuzz: ## run every fuzz target for a short while (FUZZTIME=10s)
	@sh testdata/fuzz.sh $(or $(FUZZTIME),10s)

bench: build ## print guest sizes, whole-process times and Go benchmarks
	@sh testdata/bench.sh bin/stategate

# The last two take turns on the processor: each waits for one slow step of its own.
check: lint tidy cross test ## run everything that CI runs
	$(MAKE) -j2 race release-test

cross: $(TOOLS) ## type-check the commands for the other systems; release-test with STATEGATE_TEST_LONG=1 compiles them
	GOOS=linux GOARCH=arm64 $(TOOLS)/typecheck ./cmd/...
	GOOS=darwin GOARCH=arm64 $(TOOLS)/typecheck ./cmd/...
	GOOS=windows GOARCH=amd64 $(TOOLS)/typecheck ./cmd/...

clean: ## remove build output
	rm -rf bin dist plugins/build/*.wasm plugins/build/*.wasm.gz plugins/build/*.json plugins/build/*.gen.go

bin/stategate: bin/guests.built $(GOFILES) go.mod go.sum
	$(GO) build -trimpath -ldflags='-s -w' -o $@ ./cmd/stategate

bin/guests: $(GUEST)
	$(GO) build -trimpath -o $@ ./plugins/build/guests

# One process builds the guests that are out of date, so that it compiles what they share once. A change of the SDK or
# of the packer makes all of them out of date; else those with a changed or missing file are.
bin/guests.built: bin/guests $(WORKFLOWS) $(LOST:%=lost/%)
	bin/guests $(strip $(if $(filter bin/guests,$?),$(PLUGINS),\
		$(foreach p,$(PLUGINS),$(if $(filter plugins/$p/% lost/$p,$?),$p))))
	@touch $@

.PHONY: $(LOST:%=lost/%)

$(WASM): bin/guests.built ;
