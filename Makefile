# Everything a person does here. `make help` lists it.

GO        ?= go
export CGO_ENABLED = 0
PLUGINS   := $(notdir $(patsubst %/,%,$(dir $(wildcard plugins/*/cmd/*/main.go))))
WASM      := $(PLUGINS:%=plugins/build/%.wasm)
GOFILES   := $(shell find cmd host sdk schemas plugins -name '*.go' -not -name '*_test.go')
GUEST     := $(shell find sdk schemas -name '*.go' -not -name '*_test.go') $(shell find schemas -name '*.json')
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: help build plugins demo test lint fuzz bench check cross clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

build: bin/stategate ## build the plugins and bin/stategate

plugins: $(WASM) ## compile the built-in plugins to WebAssembly

demo: build ## build, then run the gate over sample repositories: one open, one closed
	@sh testdata/demo.sh bin/stategate

test: build ## build what the tests need and run them all
	$(GO) test ./...

lint: ## gofmt, go vet (also for the sandbox), staticcheck
	@test -z "$$(gofmt -l cmd host plugins sdk schemas testdata)" || { gofmt -d cmd host plugins sdk schemas testdata; exit 1; }
	$(GO) vet ./...
	GOOS=wasip1 GOARCH=wasm $(GO) vet ./sdk/plugin
	$(GO) run $(STATICCHECK) ./...

fuzz: ## run every fuzz target for a short while (FUZZTIME=10s)
	@sh testdata/fuzz.sh $(or $(FUZZTIME),10s)

bench: build ## print guest sizes, whole-process times and Go benchmarks
	@sh testdata/bench.sh bin/stategate

check: lint cross test ## what CI runs

cross: ## compile for the other systems
	GOOS=linux GOARCH=arm64 $(GO) build -o /dev/null ./cmd/stategate
	GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/stategate
	GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null ./cmd/stategate

clean: ## remove what was built
	rm -rf bin plugins/build/*.wasm

bin/stategate: $(WASM) $(GOFILES) go.mod go.sum
	$(GO) build -trimpath -o $@ ./cmd/stategate

# A stategate without built-in plugins is enough to build plugins.
bin/bootstrap: $(filter cmd/% host/%,$(GOFILES)) $(GUEST) go.mod go.sum
	$(GO) build -trimpath -o $@ ./cmd/stategate

.SECONDEXPANSION:
plugins/build/%.wasm: bin/bootstrap $(GUEST) $$(shell find plugins/$$* -name '*.go')
	bin/bootstrap plugin build --output $@ ./plugins/$*/cmd/$*
