"""The program 'ba-package' as a repository."""

def _program_impl(context):
    path = context.attr.path or context.os.environ.get("BA_PACKAGE") or context.which("ba-package")
    if not path:
        fail("ba-package is not installed: set 'path', or BA_PACKAGE in the environment")
    context.symlink(path, "ba-package")
    context.file("BUILD.bazel", 'exports_files(["ba-package"])\n')

ba_package_program = repository_rule(
    implementation = _program_impl,
    attrs = {
        "path": attr.string(doc = "The program (default: BA_PACKAGE, else PATH)."),
    },
    environ = ["BA_PACKAGE", "PATH"],
    local = True,
    doc = "The installed program. Remote workers receive it as an input of each action.",
)
