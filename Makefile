# Graze. A thin front for CMake and scripts/; `make help` lists the targets.

BUILD ?= build
PREFIX ?= /usr/local

.PHONY: help all web command demo test test-all test-nightly bench format check install clean

help:
	@echo 'make demo      build $(BUILD)/graze, run it on a built-in scene, write $(BUILD)/demo.html'
	@echo 'make test      build with gcc and run every test, the checks and the install'
	@echo 'make test-all  what make test leaves out: long loops, CGAL, clang, sanitizers, other machines'
	@echo 'make test-nightly  what takes hours: a million inputs for each fuzzer, a million calls'
	@echo 'make all       build the library and the command, with every part that Debian has libraries for'
	@echo 'make web       build the npm package, in $(BUILD)/web/graze, and the viewer, in $(BUILD)/web/viewer'
	@echo 'make bench     measure the tables'
	@echo 'make format    format the sources in place'
	@echo 'make check     format, include order, symbols, leftovers'
	@echo 'make install   install the library and the command under $(PREFIX)'
	@echo 'make clean     remove what was built, and the logs'

all:
	@scripts/setup.sh all
	@echo "building $(BUILD)"
	@scripts/build.sh $(BUILD) -DGRAZE_BUILD_PEERS=ON

web:
	@scripts/setup.sh web
	@echo "building $(BUILD)/web/graze and $(BUILD)/web/viewer"
	@scripts/build_web.sh $(BUILD)

command:
	@scripts/setup.sh build
	@echo "building $(BUILD)/graze"
	@scripts/build.sh $(BUILD) graze_command

demo: command
	@$(BUILD)/graze demo --report $(BUILD)/demo.html

bench: all
	@$(BUILD)/graze bench

test:
	@scripts/setup.sh test
	@scripts/test.sh $(BUILD) short

test-all:
	@scripts/setup.sh test-all
	@scripts/test.sh $(BUILD) long

test-nightly:
	@scripts/setup.sh nightly
	@scripts/test.sh $(BUILD) nightly

format:
	@scripts/setup.sh test
	@scripts/format.sh

check:
	@scripts/setup.sh test
	@scripts/build.sh $(BUILD)
	@scripts/check.sh $(BUILD)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

# Every other build folder and the logs are named after the first: build-clang, build-logs.
clean:
	rm -rf $(BUILD) $(BUILD)-*
