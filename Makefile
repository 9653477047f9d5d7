# `make run` serves the demo, `make check` answers "am I done?", `make test` is what
# a merge must pass. Every tool is pinned: the Go ones in tools/go.mod, the page's in
# web/package-lock.json.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

# Nothing here needs C, and whatever is built the same way is built once.
export CGO_ENABLED := 0

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
TOOL    := go tool -modfile=tools/go.mod
NPM_CI  := npm ci --no-audit --no-fund --loglevel=error
BUILD   := go build -buildvcs=false -ldflags "-s -w -X servery/internal/config.Version=$(VERSION)"
# The race detector needs a C compiler; the program itself never does. It looks at Go's own
# memory alone: in C that was translated to Go, as SQLite was, it would find nothing and take
# most of the time. SQLite's driver, which is Go, is watched.
RACE     = CGO_ENABLED=1 $(GO_TEST) -race '-gcflags=modernc.org/...=-race=false -d=checkptr=0' -gcflags=modernc.org/sqlite=
# Tests that do one thing after another thousands of times, or kill a server that is a program
# of its own: the race detector makes them last minutes and finds nothing in them.
LONG    := refusesWhatTheRulesDoNotAllow|InEachHourOfTwoYears|oneAtEachOfManyPhonesAreStopped|letNobodyGetWhatBelongsToAnother|replaysItsAnswerOnlyToItsCaller|DeletedCustomer_|TestGet_changesNothing|ofFailedCallsHasNothing|settleAllMoneyWhateverFails|TestKills_|isRefusedWhenForged|keepsTheRulesOfAcquirers|everyKindOfZoneKeepsTheRules|everyFormOfANumber|TestPair_|TestMove_keepsCookies|TestFaults_|TestHistories|TestSimulation
# The rooms whose goroutines share memory, and which need no whole program for it: "make test" runs the
# tests of these with the race detector alone, those of login, some of which are long, in both ways;
# "make race" watches all rooms, which takes a quarter of an hour.
RACED_ALONE := $(addprefix ./internal/,asset catalog db feedback geo geocoder guess limit order/feed order/follow \
	parallel push queue remote render report server/page)
RACED       := $(RACED_ALONE) ./internal/login
# PostgreSQL of the machine's own choice, or a private one for the time of the tests.
POSTGRES := scripts/with-postgres.sh
# Tests wait for their databases half of the time, so more of them run at once than a small
# machine has processors; what they leave behind is little, and need not be cleared so often.
GO_TEST := GOGC=400 $(POSTGRES) go test -vet=off -parallel 4
# What each test reaches is recorded: docs/coverage.md is held by it.
RECORDS  := $(CURDIR)/bin/coverage
RECORDED := SERVERY_COVERAGE=$(RECORDS) GODEBUG=tracebackancestors=10 $(GO_TEST) -tags coverage -count=1

PAGE_SOURCES := $(shell find web/src web/public web/scripts -type f 2>/dev/null) \
	$(wildcard web/*.ts web/*.json) web/package-lock.json

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

## Build and run

.PHONY: run
run: build ## Serve the demo at http://localhost:8080, data in ./data
	SERVERY_IMPORT=start SERVERY_MAPS=content/demo/maps bin/servery serve

.PHONY: build
build: web/dist/page.json ## Build the one static binary: bin/servery
	$(BUILD) -o bin/servery ./cmd/servery

.PHONY: release
release: web/dist/page.json ## Build it for customers: without demo, simulated kitchen, mailbox and test bank
	$(BUILD) -trimpath -tags release -o bin/servery ./cmd/servery

web/dist/page.json: $(PAGE_SOURCES) web/node_modules/.package-lock.json
	cd web && npm run build
	@touch $@

# npm writes this file at the end of an installation.
web/node_modules/.package-lock.json: web/package-lock.json
	cd web && $(NPM_CI)
	@touch $@

e2e/node_modules/.package-lock.json: e2e/package-lock.json
	cd e2e && $(NPM_CI)
	@touch $@

e2e/w3c/node_modules/.package-lock.json: e2e/w3c/package-lock.json
	cd e2e/w3c && $(NPM_CI)
	@touch $@

tools/language/node_modules/.package-lock.json: tools/language/package-lock.json
	cd tools/language && $(NPM_CI)
	@touch $@

# Lighthouse brings optional packages that not every registry has: a clean install would refuse.
bench/page/node_modules/.package-lock.json: bench/page/package-lock.json
	cd bench/page && npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

## Generated code

.PHONY: generate
generate: web/node_modules/.package-lock.json ## Generate code from the contract and the queries, the schemas of content, and list all licences
	$(TOOL) sqlc generate
	$(TOOL) oapi-codegen -config api/oapi-codegen.yaml api/openapi.yaml
	UPDATE=1 go test -vet=off -count=1 -run 'TestSchemas_areThoseOfTheReader|TestGuide_hasTheFieldsOfTheReader|TestDefault_isThatOfThePage' ./internal/content ./internal/look
	cd web && npm run generate
	go run ./scripts/licences -write internal/licences/THIRD_PARTY.txt
	scripts/decisions.sh
	go run ./scripts/ladder

.PHONY: verify
verify: web/node_modules/.package-lock.json ## Fail when generated code is not current
	scripts/verify.sh

## Checks

.PHONY: check
check: verify lint ## Am I done? Generated, lint, types, fast tests on both engines
	$(POSTGRES) go test -short ./...
	cd web && npm test

.PHONY: lint
lint: lint-go lint-page ## Lint and check types, words and licences: Go and the page

.PHONY: lint-go
lint-go:
	scripts/named-tests.sh
	$(TOOL) golangci-lint run ./...
	scripts/deadcode.sh
	go run ./scripts/licences

# The words of all files are checked on one processor, so they stand here.
.PHONY: lint-page
lint-page: language web/node_modules/.package-lock.json e2e/node_modules/.package-lock.json
	cd e2e && npm run check
	cd web && npm run contract
	cd web && npm run check

.PHONY: language
language: tools/language/node_modules/.package-lock.json ## Refuse private words in code, comments, documents and commits
	tools/language/node_modules/.bin/cspell lint --config tools/language/cspell.json --root . --no-default-configuration --no-progress --no-summary --gitignore .
	go run ./scripts/language

.PHONY: figures
figures: ## Print how functions are named and commented, room by room
	go run ./scripts/language -figures

.PHONY: format
format: ## Format the Go code
	$(TOOL) golangci-lint fmt

.PHONY: test
test: ## Everything, as on a clean machine, with a table of where the time went
	@MAKE='$(MAKE)' scripts/steps.sh needs verify lint-go+lint-page build test-others test-race e2e e2e-postgres+test-page

.PHONY: test-go
test-go: web/dist/page.json ## Go tests on both engines
	CI=1 $(GO_TEST) -p 3 -timeout 15m ./races ./...

.PHONY: test-others
test-others: web/dist/page.json ## Go tests on both engines, without the rooms of test-race
	CI=1 $(GO_TEST) -p 3 -timeout 15m ./races $$(go list ./... | grep -vxF $(RACED_ALONE:./%=-e servery/%))

.PHONY: test-race
test-race: ## Tests of the rooms whose goroutines share memory, with the race detector
	@if command -v gcc >/dev/null || command -v clang >/dev/null; then set -x; CI=1 $(RACE) -skip '$(LONG)' -timeout 15m $(RACED); \
	else echo 'The race detector needs a C compiler: these tests run without it'; set -x; CI=1 $(GO_TEST) -timeout 15m $(RACED_ALONE); fi

.PHONY: race
race: web/dist/page.json ## All Go tests with the race detector
	CI=1 $(RACE) -skip '$(LONG)|TwoModels' -timeout 30m ./...

.PHONY: coverage
coverage: web/dist/page.json ## Run the Go tests with records of what each reaches, and hold docs/coverage.md against them
	rm -rf $(RECORDS) && mkdir -p $(RECORDS)
	CI=1 $(RECORDED) -skip agreesWithTheRecords -timeout 30m ./internal/...
	SERVERY_COVERAGE=$(RECORDS) go test -vet=off -tags coverage -run agreesWithTheRecords ./internal/server

.PHONY: carts
carts: ## Hold the prices against the second model on a million carts
	GOGC=400 SERVERY_CARTS=1000000 go test -vet=off ./internal/cart -run TwoModels -count=1 -timeout 30m

.PHONY: races
races: web/dist/page.json ## Buyers race for what is limited, 50 rounds on both engines
	SERVERY_ROUNDS=50 CI=1 $(POSTGRES) go test ./races -count=1 -timeout 60m -v

.PHONY: kills
kills: web/dist/page.json ## Kill the server 500 times while customers pay, on both engines
	SERVERY_KILLS=500 CI=1 $(POSTGRES) go test ./races -run TestKills_ -count=1 -timeout 180m -v

.PHONY: upgrade
upgrade: build e2e/node_modules/.package-lock.json ## Replace processes by those of another release, under customers and open pages
	scripts/second-release.sh bin/servery-b
	cd e2e && DATABASE_URL= SERVERY_NEXT_RELEASE=bin/servery-b npx playwright test upgrade
	SERVERY_NEXT_RELEASE=bin/servery-b $(POSTGRES) sh -c 'cd e2e && npx playwright test upgrade'
	SERVERY_RELEASES=$(CURDIR)/bin/servery,$(CURDIR)/bin/servery-b CI=1 $(POSTGRES) go test ./races -run Upgrade -count=1 -timeout 30m -v

.PHONY: fuzz
fuzz: ## Send 50,000 spoiled calls to every operation of the contract, on both engines
	SERVERY_FUZZ=50000 CI=1 $(POSTGRES) go test -vet=off ./internal/server -run TestFuzz -count=1 -timeout 60m -v

.PHONY: feed
feed: web/dist/page.json ## Follow the kitchen's feed through 20 runs of 1,000 orders, on both engines
	SERVERY_FEED_RUNS=20 CI=1 $(POSTGRES) go test ./races -run OperatorFeed -count=1 -timeout 120m -v

.PHONY: simulation
simulation: ## Simulate 300 seeds of customers, acquirers, restarts and a database that is away
	SERVERY_SEEDS=300 go test -vet=off ./internal/payment/payments -run Simulation -count=1 -timeout 60m

.PHONY: histories
histories: web/dist/page.json ## Check 500 histories of carts, ledgers and orders on each engine
	SERVERY_HISTORIES=500 CI=1 $(POSTGRES) go test ./races -run TestHistories -count=1 -timeout 60m -v

.PHONY: pair
pair: web/dist/page.json ## Break a pair of PostgreSQL servers in five ways under 2,000 orders and more
	SERVERY_PAIR_ORDERS=2000 CI=1 go test ./races -run TestPair_ -count=1 -timeout 60m -v

.PHONY: move
move: web/dist/page.json ## Move 10,000 orders with customers, bonuses and payments from SQLite to PostgreSQL and back
	SERVERY_MOVE_ORDERS=10000 CI=1 $(POSTGRES) go test ./races -run TestMove_ -count=1 -timeout 60m -v

# MINUTES=1 is a short form.
.PHONY: friday-servers
friday-servers: build ## An hour of a Friday on four processes, one proxy and a pair of PostgreSQL servers
	scripts/second-release.sh bin/servery-b
	SERVERY_FRIDAY=$(or $(MINUTES),60) SERVERY_RELEASES=$(CURDIR)/bin/servery,$(CURDIR)/bin/servery-b CI=1 go test ./races -run TestFriday_ -count=1 -timeout 180m -v

.PHONY: faults
faults: web/dist/page.json ## Break the database and the processes over it 5 times in each way under orders, on both engines
	SERVERY_FAULT_ROUNDS=5 CI=1 go test ./races -run TestFaults_ -count=1 -timeout 60m -v

.PHONY: alerts
alerts: web/dist/page.json ## Watch the alerts by Prometheus while processes, database, disk and jobs fail
	SERVERY_ALERTS=1 CI=1 go test -vet=off ./races -run TestAlerts_ -count=1 -timeout 30m -v

.PHONY: test-page
test-page: web/dist/page.json ## Tests of the page, and of what its build has made
	cd web && npm test && npm run test-built

.PHONY: doubles
doubles: ## Build what stands in for providers in journeys, and what makes a city for them: bin/doubles, bin/city
	go build -buildvcs=false -o bin/ ./e2e/doubles ./e2e/city

.PHONY: e2e
e2e: build doubles e2e/node_modules/.package-lock.json ## All journeys in a browser, on SQLite
	cd e2e && DATABASE_URL= SERVERY_COVERAGE=1 npx playwright test

.PHONY: e2e-postgres
e2e-postgres: build doubles e2e/node_modules/.package-lock.json ## Journeys in which the engines differ most, on PostgreSQL
	$(POSTGRES) sh -c 'cd e2e && npx playwright test'

.PHONY: axe
axe: build doubles e2e/node_modules/.package-lock.json ## Scan every screen and dialog with three brands, on both devices, in all colours, in Russian and German
	cd e2e && DATABASE_URL= SERVERY_AXE=1 npx playwright test accessible

.PHONY: hours
hours: build doubles e2e/node_modules/.package-lock.json ## All journeys as they are six, twelve and eighteen hours later
	scripts/hours.sh Etc/GMT-9 Etc/GMT+9 Etc/GMT+3

.PHONY: slow-network
slow-network: build doubles e2e/node_modules/.package-lock.json ## Place an order over 250 kbit/s with 600 ms of delay, every tenth connection cut
	cd e2e && DATABASE_URL= SERVERY_SLOW_NETWORK=1 npx playwright test slow-network

.PHONY: feel
feel: build doubles e2e/node_modules/.package-lock.json ## Measure how soon the page answers a press, on a machine that does nothing else
	cd e2e && DATABASE_URL= SERVERY_MEASURE=1 npx playwright test --workers 1 maps -g 'opens quickly'
	cd e2e && DATABASE_URL= SERVERY_MEASURE=1 npx playwright test --workers 1 feel -g 'felt at once'

.PHONY: firefox
firefox: build e2e/node_modules/.package-lock.json ## Order, pay by card and follow in Firefox
	@command -v firefox-esr >/dev/null || command -v firefox >/dev/null || { echo 'make firefox: Firefox is missing; on Debian: apt-get install firefox-esr' >&2; exit 1; }
	cd e2e && DATABASE_URL= SERVERY_BROWSER=firefox npx playwright test other-browsers

.PHONY: webkit
webkit: build e2e/node_modules/.package-lock.json ## Order, pay by card and follow in WebKit, which needs a display: xvfb-run makes one
	@command -v WebKitWebDriver >/dev/null && command -v xvfb-run >/dev/null || { echo 'make webkit: WebKit or Xvfb is missing; on Debian: apt-get install webkit2gtk-driver xvfb xauth' >&2; exit 1; }
	cd e2e && DATABASE_URL= SERVERY_BROWSER=webkit xvfb-run -a npx playwright test other-browsers

.PHONY: html
html: build e2e/node_modules/.package-lock.json e2e/w3c/node_modules/.package-lock.json ## Hold every document against the W3C checker, which needs a Java runtime
	@command -v java >/dev/null || { echo 'make html: java is missing; on Debian: apt-get install default-jre-headless' >&2; exit 1; }
	cd e2e && DATABASE_URL= VNU_JAR="$(CURDIR)/e2e/w3c/node_modules/vnu-jar/build/dist/vnu.jar" npx playwright test documents -g W3C

.PHONY: bench
bench: build ## Allocations, then the program under load beside its limits, on both engines
	DURABLE=1 $(POSTGRES) sh -c "go test -run '^$$' -bench . -benchmem ./bench && go run ./bench/load"

.PHONY: bench-page
bench-page: build bench/page/node_modules/.package-lock.json ## The first load of the home page on a slow phone
	cd bench/page && npm run --silent measure

.PHONY: needs
needs: ## Install what the tests need: PostgreSQL and Chromium
	scripts/test-needs.sh

.PHONY: clean
clean: ## Remove what was built, not the data
	rm -rf bin web/dist/assets web/dist/ssr web/dist/page.json
