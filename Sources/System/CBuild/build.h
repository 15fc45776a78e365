// The facts of a build, which the Makefile passes to Package.swift: each is empty if it is unknown.
#pragma once

/// The commit of the sources.
const char *_Nonnull build_commit(void);
/// The version of the Swift toolchain.
const char *_Nonnull build_toolchain(void);
/// The address of the repository.
const char *_Nonnull build_repository(void);
