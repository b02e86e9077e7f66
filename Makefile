# The two commands that everybody needs are `make run` and `make test`; CONTRIBUTING.md explains the rest.
.PHONY: help run test check fmt lint units engines window ui bench fuzz clean

help:
	@echo 'make run      install what is missing, build, open the window (or, without a display, run the example)'
	@echo 'make test     everything that a change has to pass; needs root, because it starts Docker engines of its own'
	@echo 'make check    the same without engines and window: no root'
	@echo 'make fmt      format Rust and the front end'
	@echo 'make lint     clippy, svelte-check and eslint'
	@echo 'make units    Rust unit and golden tests'
	@echo 'make engines  tests on real Docker engines (root)'
	@echo 'make window   tests in the real window (root)'
	@echo 'make bench    `berth up` beside `docker compose up` (root)'
	@echo 'make fuzz     a minute of documents made to break the validator; scripts/fuzz SECONDS for longer'

run:
	@scripts/run

test:
	@scripts/test

check:
	@scripts/test check

fmt:
	cargo fmt --all
	cd ui && npm run format

lint: ui/node_modules
	cargo clippy --workspace --all-targets -- -D warnings
	cd ui && npm run check && npm run lint

units:
	cargo nextest run

engines:
	@scripts/test engines

window:
	@scripts/test window

bench:
	@scripts/bench

fuzz:
	@scripts/fuzz

ui/node_modules: ui/package-lock.json
	cd ui && npm ci
	@touch $@

clean:
	cargo clean
	rm -rf ui/node_modules ui/dist tests/artifacts
