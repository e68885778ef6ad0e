#!/usr/bin/env bash
# What .ci/run does with a small project whose make targets say what they see: a clone of what is
# committed, with nothing beside it, the models named to test-all alone, one folder for all targets.
. "$(dirname "$0")/harness.sh"

mkdir -p "$temporary/shared/models" "$temporary/project/.ci"
cd "$temporary/project" || exit
cp "$root/.ci/run" .ci/run
cat >Makefile <<'END'
demo:
	@mkdir -p build && echo demo >>build/steps
test:
	@echo "beside: $$(ls .. | tr '\n' ' ')"
	@echo "models for test: $(GRAZE_MODELS), lines from stdin: $$(wc -l)"
	@echo test >>build/steps
	@echo "20 passed, 0 failed, $(or $(SKIPS),3) skipped"
	@! [ -e broken ]
test-all:
	@echo "models for test-all: $(notdir $(GRAZE_MODELS))"
	@echo "steps: $$(tr '\n' ' ' <build/steps)"
	@echo "7 passed, $(or $(FAILS),0) failed, 1 skipped"
	@[ -z "$(FAILS)" ]
END
git init -q . && git add -A
commit() { git -c user.name=test -c user.email=test@localhost commit -q -m "$1" "${@:2}"; }
commit first && git checkout -q --detach && git branch -q -D "$(git branch --format='%(refname:short)' | tail -n 1)"
unset GRAZE_MODELS
run() { echo "not read" | env "$@" CI=true bash .ci/run; }

expect_exit 0 '^27 passed, 0 failed, 4 skipped$' "both parts are counted" run
expect_exit 0 '^steps: demo test demo $' "in one folder, no other target" run
expect_exit 0 '^beside: graze $' "nothing beside the clone" run
expect_exit 0 '^models for test: , lines from stdin: 0$' "no models for test, no standard input" run GRAZE_MODELS=/tmp
expect_exit 0 '^models for test-all: models$' "those beside the folder for test-all" run
expect_exit 1 '^27 passed, 2 failed, 4 skipped$' "a failure" run FAILS=2
expect_exit 1 '^27 passed, 1 failed, 4 skipped$' "an end without one" bash -c "git clone -q . ../broken &&
    cd ../broken && touch broken && git add -A && git -c user.name=t -c user.email=t@localhost commit -q -m b &&
    bash .ci/run"
expect_exit 1 '^27 passed, 1 failed, 7 skipped$' "more skips than a stranger may see" run SKIPS=6
expect_ok "no clone is left behind" bash -c "[ -z \"\$(TMPDIR=$temporary bash .ci/run >/dev/null; ls $temporary | grep tmp)\" ]"
