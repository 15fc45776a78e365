"""The program for MODULE.bazel. Untested: the tests use WORKSPACE, with Bazel 4.2."""

load(":repositories.bzl", "ba_package_program")

def _ba_package_impl(_context):
    ba_package_program(name = "ba_package")

ba_package = module_extension(
    implementation = _ba_package_impl,
    doc = "The repository 'ba_package' with the installed program.",
)
