"""Rules for asset packs: see docs/guides/bazel.md."""

BaPackInfo = provider(
    doc = "An asset pack and its inputs.",
    fields = {
        "archive": "The archive.",
        "files": "The files with their modes and destinations: a list of structures.",
        "manifest": "The manifest.",
    },
)

BaPacksInfo = provider(
    doc = "Several asset packs.",
    fields = {"archives": "The archives: a list of files."},
)

_PROGRAM = attr.label(
    default = Label("@ba_package//:ba-package"),
    allow_single_file = True,
    executable = True,
    cfg = "exec",
    doc = "The program 'ba-package'.",
)

_HOSTING = attr.string(
    values = ["", "apple", "self"],
    doc = "Apply the rules of this hosting.",
)

# The files of packs

def _source_root(label, folder):
    """Returns the start of the short paths of the files in a source root."""
    parts = ["..", label.workspace_name] if label.workspace_name else []
    for part in (label.package + "/" + folder).split("/"):
        if part == "..":
            fail("'source_root' must be in the package: " + folder)
        if part and part != ".":
            parts.append(part)
    return "".join([part + "/" for part in parts])

def _files(targets, executables, root):
    """Returns the files of targets, with their modes and their paths in the source root."""
    found = {}
    for targets_of_mode, mode in [(targets, "644"), (executables, "755")]:
        for target in targets_of_mode:
            for file in target.files.to_list():
                if file.is_directory:
                    fail("%s is a folder; list its files" % file.short_path)
                if not file.short_path.startswith(root):
                    fail("%s is not in the source root %s" % (file.short_path, root))
                destination = file.short_path[len(root):]
                if destination in found and found[destination].mode != mode:
                    fail("%s is in 'srcs' and in 'executable_srcs'" % file.short_path)
                found[destination] = struct(mode = mode, file = file, destination = destination)
    return [found[destination] for destination in sorted(found)]

def _write_list(context, name, files):
    """Writes a list for '--files-from'."""
    list = context.actions.declare_file(context.label.name + name)
    lines = context.actions.args()
    lines.set_param_file_format("multiline")
    lines.add_all([
        "\t".join([entry.mode, entry.file.path, entry.destination])
        for entry in files
    ])
    context.actions.write(list, lines)
    return list

# ba_asset_pack

def _asset_pack_impl(context):
    root = _source_root(context.label, context.attr.source_root)
    files = _files(context.attr.srcs, context.attr.executable_srcs, root)
    list = _write_list(context, ".files", files)
    manifest = context.file.manifest
    archive = context.actions.declare_file(context.attr.archive or context.label.name + ".aar")
    if archive.extension != "aar":
        fail("'archive' must end with '.aar': " + archive.basename)
    inputs = [manifest, list] + [entry.file for entry in files]
    arguments = context.actions.args()
    arguments.add_all(["pack", manifest, "--quiet", "--files-from", list, "-o", archive])
    if context.file.project:
        arguments.add("--project", context.file.project)
        inputs.append(context.file.project)
    else:
        arguments.add("--no-project")
    if context.attr.hosting:
        arguments.add("--hosting", context.attr.hosting)
    arguments.add("--threads", str(context.attr.threads))
    arguments.add_all(context.attr.options)
    context.actions.run(
        executable = context.executable.program,
        arguments = [arguments],
        inputs = inputs,
        outputs = [archive],
        mnemonic = "AssetPack",
        progress_message = "Packing " + archive.short_path,
    )
    return [
        DefaultInfo(files = depset([archive])),
        BaPackInfo(archive = archive, files = files, manifest = manifest),
    ]

_asset_pack = rule(
    implementation = _asset_pack_impl,
    attrs = {
        "archive": attr.string(doc = "The file name of the archive, which ends with '.aar' (default: NAME.aar)."),
        "executable_srcs": attr.label_list(
            allow_files = True,
            doc = "Files with the mode 755; the others have 644.",
        ),
        "hosting": _HOSTING,
        "manifest": attr.label(allow_single_file = True, mandatory = True, doc = "The manifest."),
        "options": attr.string_list(doc = "More options of 'ba-package pack'."),
        "program": _PROGRAM,
        "project": attr.label(allow_single_file = True, doc = "The project file, for its settings."),
        "source_root": attr.string(doc = "The source root, a folder of the package (default: the package)."),
        "srcs": attr.label_list(allow_files = True, doc = "The files that the manifest selects."),
        "threads": attr.int(default = 1, doc = "The number of threads; Bazel runs several actions."),
    },
    doc = "An asset pack.",
)

def ba_asset_pack(name, manifest, srcs, source_root = "", tree = None, program = None, testonly = None, visibility = None, tags = None, **options):
    """An asset pack, and the test NAME_srcs_test.

    The test fails if 'srcs' are not exactly the files that the manifest selects.

    Args:
      name: The target.
      manifest: The manifest. Its 'sourceRoot' is ignored.
      srcs: The files that the manifest selects, as 'evaluate --format bazel' prints them.
      source_root: The source root, a folder of this package (default: the package).
      tree: All files of the source root, for the test (default: those in this package).
      program: The program (default: that of the repository 'ba_package').
      testonly: As for all rules.
      visibility: As for all rules.
      tags: As for all rules.
      **options: 'archive', 'executable_srcs', 'hosting', 'options', 'project', 'threads'.
    """
    common = {"tags": tags, "testonly": testonly, "visibility": visibility}
    if program:
        common["program"] = program
    if tree == None:
        folder = source_root.strip("/")
        is_package = folder in ["", "."]
        tree = native.glob(
            ["**" if is_package else folder + "/**"],
            # The links of Bazel to its outputs.
            exclude = ["bazel-*/**"] if is_package else [],
        )
    _asset_pack(name = name, manifest = manifest, srcs = srcs, source_root = source_root, **dict(common, **options))
    _srcs_test(name = name + "_srcs_test", size = "small", pack = name, source_root = source_root, tree = tree, **common)

# Tests

def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"

def _test(context, lines, files):
    script = context.actions.declare_file(context.label.name + ".sh")
    context.actions.write(script, "\n".join(["#!/bin/sh", "set -eu"] + lines) + "\n", is_executable = True)
    return [DefaultInfo(executable = script, runfiles = context.runfiles(files = files))]

def _srcs_test_impl(context):
    pack = context.attr.pack[BaPackInfo]
    root = _source_root(context.label, context.attr.source_root)
    all = {entry.destination: entry for entry in _files(context.attr.tree, [], root)}
    all.update({entry.destination: entry for entry in pack.files})
    tree = _write_list(context, ".tree", all.values())
    declared = _write_list(context, ".declared", pack.files)
    difference = context.actions.declare_file(context.label.name + ".difference")
    arguments = context.actions.args()
    arguments.add_all([difference, context.executable.program, "evaluate", pack.manifest])
    arguments.add_all(["--no-project", "--files-from", tree, "--declared", declared])

    # An action compares, because runfiles of old versions of Bazel cannot have spaces in names. The last line is
    # the exit status: a program that was killed prints nothing.
    context.actions.run_shell(
        command = 'report=$1; shift; status=0; "$@" >"$report" 2>&1 || status=$?; echo "exit status: $status" >>"$report"',
        arguments = [arguments],
        inputs = [pack.manifest, tree, declared] + [entry.file for entry in all.values()],
        outputs = [difference],
        tools = [context.executable.program],
        mnemonic = "AssetPackSources",
        progress_message = "Comparing the sources of %s" % context.attr.pack.label,
    )
    path = _quoted(difference.short_path)
    return _test(context, ["cat %s" % path, "test \"$(tail -n 1 %s)\" = 'exit status: 0'" % path], [difference])

_srcs_test = rule(
    implementation = _srcs_test_impl,
    attrs = {
        "pack": attr.label(providers = [BaPackInfo], mandatory = True),
        "program": _PROGRAM,
        "source_root": attr.string(),
        "tree": attr.label_list(allow_files = True),
    },
    test = True,
    doc = "Fails if the files of a pack are not exactly the files that its manifest selects.",
)

def _links(folder, files):
    """Returns the lines of a script that puts links to archives into a folder, each with a name that ends with '.aar'."""
    return ['mkdir "$TEST_TMPDIR"/' + folder] + [
        'ln -s "$PWD"/%s "$TEST_TMPDIR"/%s/%s' % (
            _quoted(file.short_path),
            folder,
            _quoted(file.basename if file.extension == "aar" else file.basename + ".aar"),
        )
        for file in files
    ]

def _diff_test_impl(context):
    packs = []
    for target in context.attr.packs:
        if BaPackInfo in target:
            packs.append(target[BaPackInfo].archive)
        elif BaPacksInfo in target:
            packs += target[BaPacksInfo].archives
        else:
            packs += target.files.to_list()
    baseline = context.files.baseline
    words = ["exec", _quoted(context.executable.program.short_path), "diff", "--no-project"]
    lines = _links("new", packs)
    if len(baseline) == 1:
        words.append(_quoted(baseline[0].short_path))
    else:
        lines += _links("old", baseline)
        words.append('"$TEST_TMPDIR"/old')
    words.append('"$TEST_TMPDIR"/new')
    if context.attr.fail_on:
        words += ["--fail-on", _quoted(",".join(context.attr.fail_on))]
    for budget in context.attr.budgets:
        words += ["--budget", _quoted(budget)]
    files = packs + baseline + [context.executable.program]
    if context.file.accept:
        words += ["--accept", _quoted(context.file.accept.short_path)]
        files = files + [context.file.accept]
    return _test(context, lines + [" ".join(words)], files)

ba_pack_diff_test = rule(
    implementation = _diff_test_impl,
    attrs = {
        "accept": attr.label(allow_single_file = True, doc = "The file of accepted changes."),
        "baseline": attr.label_list(
            allow_files = True,
            mandatory = True,
            doc = "The old packs, or a report about them.",
        ),
        "budgets": attr.string_list(doc = "Budgets, such as 'update=50M'."),
        "fail_on": attr.string_list(
            default = ["breaking"],
            doc = "Fail on these: 'breaking', 'budget', 'any'.",
        ),
        "packs": attr.label_list(allow_files = True, mandatory = True, doc = "The new packs."),
        "program": _PROGRAM,
    },
    test = True,
    doc = "Compares packs with old packs.",
)

# ba_asset_packs

def _asset_packs_impl(context):
    packs = [pack[BaPackInfo] for pack in context.attr.packs]
    files = {}
    for pack in packs:
        for entry in pack.files:
            other = files.get(entry.destination)
            if other and (other.file != entry.file or other.mode != entry.mode):
                fail("packs have different files or modes for %s" % entry.destination)
            files[entry.destination] = entry
    list = _write_list(context, ".files", files.values())
    manifests = [pack.manifest for pack in packs]
    archives = [pack.archive for pack in packs]
    inputs = manifests + context.files.manifests
    words = manifests + ["--files-from", list] + (["--strict"] if context.attr.strict else [])
    sources = [list] + [entry.file for entry in files.values()]
    reports = [_check(context, "validate", words, inputs + sources)]
    if context.file.project:
        # Also manifests without a target, and budgets for archives.
        reports.append(_check(context, "verify", ["--all-shards"] + archives, inputs + archives))
    return [DefaultInfo(files = depset(archives + reports)), BaPacksInfo(archives = archives)]

def _check(context, command, words, inputs):
    """Runs a command that checks packs, and returns the file with its findings."""
    report = context.actions.declare_file("%s.%s" % (context.label.name, command))
    arguments = context.actions.args()
    arguments.add_all([report, context.executable.program, command])
    arguments.add_all(words)
    if context.file.project:
        arguments.add("--project", context.file.project)
        inputs = inputs + [context.file.project]
    else:
        arguments.add("--no-project")
    if context.attr.hosting:
        arguments.add("--hosting", context.attr.hosting)
    for budget in context.attr.budgets:
        # The sizes of archives are unknown to 'validate'; with a project, 'verify' checks them.
        if command != "validate" or not context.file.project or "/" in budget:
            arguments.add("--budget", budget)
    context.actions.run_shell(
        command = 'report=$1; shift; status=0; "$@" 2>"$report" || status=$?; cat "$report" >&2; exit $status',
        arguments = [arguments],
        inputs = inputs,
        outputs = [report],
        tools = [context.executable.program],
        mnemonic = "AssetPackCheck",
        progress_message = "Checking the packs of %s" % context.label,
    )
    return report

ba_asset_packs = rule(
    implementation = _asset_packs_impl,
    attrs = {
        "budgets": attr.string_list(doc = "Budgets, such as '**/*.wav=20M'; those for archives require 'project'."),
        "hosting": _HOSTING,
        "manifests": attr.label_list(allow_files = True, doc = "Other files that the project file names."),
        "packs": attr.label_list(providers = [BaPackInfo], mandatory = True, doc = "The packs of an app."),
        "program": _PROGRAM,
        "project": attr.label(allow_single_file = True, doc = "The project file, for its settings."),
        "strict": attr.bool(doc = "Fail on warnings."),
    },
    doc = "The packs of an app, checked together.",
)
