# Everything here needs Go, gcc and make, and nothing else.

GO        ?= go
ARGS      ?=
FUZZTIME  ?= 30s
PKG       ?= ./...
COVERFILE ?= coverage.out
REF       ?=
COUNT     ?= 8
BENCH     ?= .
# What make regression compares with.
RELEASE    = $(if $(REF),$(REF),$(shell git describe --tags --abbrev=0 2>/dev/null))
LINT       = $(GO) tool -modfile=.ci/tools.mod golangci-lint

# How SQLite is compiled, beside the driver's own settings. fdatasync writes the
# time of a file's last change only together with its data: on a file system with
# a journal a lone sender gets a fifth more through. And nobody asks SQLite how
# much memory it has in use. Without these all is right too, and slower.
ifeq ($(shell uname -s),Linux)
CGO_CPPFLAGS ?= -DHAVE_FDATASYNC=1 -DSQLITE_DEFAULT_MEMSTATUS=0
export CGO_CPPFLAGS
endif

.DEFAULT_GOAL := help
.PHONY: help cflags run dev build test race lint fmt fuzz bench bench-peers bench-compare regression torture soak clients cover compatibility ci

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build and serve, durably, with data in ./data (ARGS="--listen 127.0.0.1:9999")
	./bin/queues serve $(ARGS)

dev: build ## build and serve for development: temporary data, no fsync
	./bin/queues dev $(ARGS)

build: ## build ./bin/queues
	$(GO) build -trimpath -o bin/queues ./cmd/queues

test: ## run all tests (PKG=./engine/... for some)
	$(GO) test -shuffle=on -timeout=20m $(PKG)

race: ## run all tests under the race detector
	GORACE=halt_on_error=1 $(GO) test -race -shuffle=on -count=1 -timeout=30m $(PKG)

lint: ## check formatting, module files and the rules in .golangci.yml
	@test -z "$$(gofmt -l .)" || { gofmt -d .; exit 1; }
	$(GO) mod tidy -diff
	$(GO) vet ./...
	$(LINT) run

fmt: ## format the code
	gofmt -w .

fuzz: ## run every fuzz target for FUZZTIME each
	@GO="$(GO)" FUZZTIME="$(FUZZTIME)" .ci/fuzz

bench: ## measure the server against a null handler, at depth and beside big jobs; fails when a target is missed (ARGS="-short -report-only")
	$(GO) run ./integration/bench $(ARGS)

bench-peers: ## the server beside SQS servers from npm and Go modules under the same load (installs them in the user's cache; ARGS="-run goaws")
	$(GO) run ./integration/bench peers $(ARGS)

bench-compare: ## compare the micro-benchmarks with those of a revision (REF=main, BENCH=Decode, COUNT=8)
	@GO="$(GO)" REF="$(REF)" COUNT="$(COUNT)" BENCH="$(BENCH)" .ci/bench-compare

regression: ## compare the server's CPU per request with that of a revision, the last release unless REF says another
	@test -n "$(RELEASE)" || { echo "there is no release to compare with: say REF=revision"; exit 1; }
	$(GO) run ./integration/bench regression -ref $(RELEASE) $(ARGS)

torture: ## kill the server, cut its power, break its disk, overload it, and check its promises (ARGS="-short")
	$(GO) run ./integration/torture $(ARGS)

soak: ## a mixed load for three hours, watching that nothing grows (ARGS="-duration 10m")
	$(GO) run ./integration/torture -part=soak $(ARGS)

clients: build ## install real clients and run them against the build (ARGS="-list", ARGS="-only boto2,go-v1")
	$(GO) run ./integration/clients $(ARGS)

cover: ## test coverage by package
	$(GO) test -coverpkg=./... -coverprofile=$(COVERFILE) ./...
	$(GO) tool cover -func=$(COVERFILE) | tail -1

compatibility: ## run the tests of what SQS does and write COMPATIBILITY.md (CLIENTS=results of make clients)
	$(GO) run ./integration/compatibility $(if $(CLIENTS),-clients $(CLIENTS),-without-clients) $(ARGS)

ci: ## what CI runs
	bash .ci/run

# For .ci/run, which calls go by itself too.
cflags:
	$(info $(CGO_CPPFLAGS)) @:
