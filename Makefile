# Targets of the project. `make help` lists them.
PREFIX ?= /usr/local
SECONDS ?= 60

# libarchive: archives as source roots, exports. zlib, xz, lz4: block codecs. OpenSSL: SHA-256, TLS.
# libqrencode: QR codes. libcurl: HTTP. The program is linked only with zlib, xz and lz4. It opens the
# others when it uses them.
PACKAGES := libarchive-dev zlib1g-dev liblzma-dev liblz4-dev libssl-dev libqrencode-dev \
	libcurl4-openssl-dev pkg-config
# Programs that `make check` uses for comparisons and measurements.
CHECK_PACKAGES := python3 python3-venv openssl valgrind bash zsh fish groff binutils rclone
# Programs that `make check-world` uses for comparisons and in the pages of the documentation.
WORLD_PACKAGES := zip unzip p7zip-full libarchive-tools xz-utils zstd bzip2 \
	binutils tmux strace mmdebstrap lld chromium curl wget sslscan testssl.sh libxml2-utils \
	libplist-utils nginx-light wrk zbar-tools lintian dpkg-dev fakeroot jq python3-yaml ninja-build cmake \
	iproute2 shellcheck bazel-bootstrap postgresql mono-mcs mono-runtime
LIBRARIES := libarchive zlib liblzma liblz4 libcrypto libssl libqrencode libcurl

# The installed executable contains the Swift runtime, so it runs without a toolchain. Two builds of
# one commit have equal bytes: debug information with paths, the linker's build ID and the hashes of
# incremental code generation are omitted. The dynamic symbol table is omitted, too, because no
# library uses it: the executable is 4 % smaller and starts faster.
PRODUCT := .build/product
PRODUCT_FLAGS := -c release --product ba-package --static-swift-stdlib \
	-debug-info-format none -Xlinker --build-id=none -Xlinker --no-export-dynamic \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen --scratch-path $(PRODUCT)
PROGRAM := $(PRODUCT)/release/ba-package

# Compilers and package managers keep caches below HOME, which may be read-only.
ifeq ($(shell test -w "$$HOME" && echo writable),)
export XDG_CACHE_HOME ?= $(CURDIR)/.cache
endif

# Folders of installed files. They may contain spaces.
BIN := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
BASH_COMPLETION := $(SHARE)/bash-completion/completions/ba-package
ZSH_COMPLETION := $(SHARE)/zsh/site-functions/_ba-package
FISH_COMPLETION := $(SHARE)/fish/vendor_completions.d/ba-package.fish
MAN := $(SHARE)/man
CMAKE_PACKAGE := $(SHARE)/cmake/BAPackage
BAZEL_RULES := $(SHARE)/ba-package/bazel

.PHONY: help deps build example quick test check check-world check-all check-release conformance bench \
	fuzz docs screenshot dist install install-files install-cmake install-bazel uninstall clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

deps: ## install the C libraries that are missing (Debian and derivatives)
	@.ci/deps $(PACKAGES) -- $(LIBRARIES)

build: deps ## build the release executable with the Swift runtime
	@REPOSITORY="$(REPOSITORY)" .ci/build $(PRODUCT_FLAGS)

example: build ## pack the manifests of Examples/, then list, verify and simulate the packs
	@Examples/run $(PROGRAM) .build/example

quick: deps ## build, lint, and run the tests that a change can affect
	@.ci/quick $(BASE)

test: deps ## run the tests in one debug build, without the heavy tests
	swift test

check: deps ## run the checks that need only this machine
	@.ci/peers $(CHECK_PACKAGES)
	@.ci/check here

check-world: deps ## run the checks with other programs and large numbers of hostile inputs
	@.ci/peers $(CHECK_PACKAGES) $(WORLD_PACKAGES)
	@.ci/check world

check-all: deps ## run both, as CI does
	@.ci/peers $(CHECK_PACKAGES) $(WORLD_PACKAGES)
	@.ci/check here world

check-release: build ## check a release: tests in a minimal system, the container, equal bytes
	@.ci/peers $(CHECK_PACKAGES) $(WORLD_PACKAGES)
	@Tests/World/check-first-commands test
	@Tests/World/container

conformance: deps ## compare with independent readers and writers of the formats
	@Tests/Conformance/run

bench: build ## measure, and compare with tar, zstd, zip and the reference codec
	@Benchmarks/run

fuzz: deps ## run each fuzz target for SECONDS (default: 60)
	@Fuzz/run $(SECONDS)

screenshot: build ## update Examples/report.png, the picture of a report in README.md
	@.ci/peers chromium
	@.ci/screenshot $(PROGRAM) Examples/report.png

docs: build ## build the documentation of the libraries as a web site in .build/docs
	@.ci/docs

install: build install-files ## install program, completions, manual pages, CMake package and Bazel rules in PREFIX

# Without a build, for `dist`, which installs into other folders.
install-files: install-cmake install-bazel
	install -d "$(BIN)"
	strip -o "$(BIN)/ba-package" $(PROGRAM)
	chmod 755 "$(BIN)/ba-package"
	install -d "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions"
	install -d "$(SHARE)/fish/vendor_completions.d"
	$(PROGRAM) --generate-completion-script bash > "$(BASH_COMPLETION)"
	$(PROGRAM) --generate-completion-script zsh > "$(ZSH_COMPLETION)"
	$(PROGRAM) --generate-completion-script fish > "$(FISH_COMPLETION)"
	$(PROGRAM) --generate-man-pages "$(MAN)"
	ln -sf ba-package "$(BIN)/ba-serve"
	"$(BIN)/ba-serve" --generate-completion-script bash \
		> "$(SHARE)/bash-completion/completions/ba-serve"
	"$(BIN)/ba-serve" --generate-completion-script zsh > "$(SHARE)/zsh/site-functions/_ba-serve"
	"$(BIN)/ba-serve" --generate-completion-script fish \
		> "$(SHARE)/fish/vendor_completions.d/ba-serve.fish"
	"$(BIN)/ba-serve" --generate-man-pages "$(MAN)"

# The version is read from the source code of the program.
install-cmake:
	install -d "$(CMAKE_PACKAGE)"
	install -m 644 CMake/BAPackageConfig.cmake "$(CMAKE_PACKAGE)"
	version=$$(sed -n 's/^package let version = "\(.*\)"/\1/p' \
		Sources/Commands/BAPackCommands/Console/Version.swift) && \
		sed "s/@VERSION@/$$version/" CMake/BAPackageConfigVersion.cmake.in \
		> "$(CMAKE_PACKAGE)/BAPackageConfigVersion.cmake"

install-bazel:
	install -d "$(BAZEL_RULES)"
	install -m 644 Bazel/* "$(BAZEL_RULES)"

dist: build ## make the files of a release: an archive, a Debian package and their digests
	@.ci/dist $(PROGRAM)

uninstall: ## remove the installed files from PREFIX
	rm -f "$(BIN)/ba-package" "$(BASH_COMPLETION)" "$(ZSH_COMPLETION)" "$(FISH_COMPLETION)"
	rm -f "$(MAN)/man1/ba-package.1" "$(MAN)/man1/ba-serve.1"
	rm -f "$(MAN)/man1/ba-package-"*.1 "$(MAN)/man5/ba-package-"*.5
	rm -f "$(BIN)/ba-serve" "$(SHARE)/bash-completion/completions/ba-serve"
	rm -f "$(SHARE)/zsh/site-functions/_ba-serve" "$(SHARE)/fish/vendor_completions.d/ba-serve.fish"
	rm -rf "$(CMAKE_PACKAGE)" "$(BAZEL_RULES)"

clean: ## remove all build products
	rm -rf .build Benchmarks/.build Fuzz/.build
