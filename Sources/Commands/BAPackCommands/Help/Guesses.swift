import Arguments

/// Commands and options of other tools, each with the one of this program.
enum Guesses {
  /// Commands, each with a hint.
  static let commands: [Term] =
    ["build", "create", "make", "archive", "compress", "zip", "tar"].map {
      Term($0, "use 'ba-package pack'")
    }
    + ["inspect", "show", "describe", "stat"].map { Term($0, "use 'ba-package info'") }
    + ["contents", "tree"].map { Term($0, "use 'ba-package list'") }
    + ["cat", "unpack", "x", "unzip", "expand", "decompress"].map {
      Term($0, "use 'ba-package extract'")
    }
    + ["check", "lint"].map {
      Term($0, "use 'ba-package validate' for manifests, 'ba-package verify' for packs")
    }
    + [
      Term("add", "use 'ba-package init --add', or 'ba-package pack' for an archive"),
      Term("size", "use 'ba-package report', or 'ba-package info' for one pack"),
      Term("status", "use 'ba-package pack --check', or 'ba-package app-store status'"),
      Term("watch", "use 'ba-package serve --pack'"),
      Term("fmt", "use 'ba-package validate --fix'"),
      Term("format", "use 'ba-package validate --fix'"),
      Term("which", "use 'ba-package why'"), Term("find", "use 'ba-package why'"),
      Term("completion", "use 'ba-package --generate-completion-script bash'"),
      Term("doctor", "use 'ba-package app check'"),
      Term("test", "use 'ba-package simulate', or 'ba-package serve' with a device"),
      Term("compare", "use 'ba-package diff'"),
      Term("optimize", "use 'ba-package plan'"), Term("split", "use 'ba-package plan'"),
    ]
    + ["server", "run", "start", "host"].map { Term($0, "use 'ba-package serve'") }
    + ["publish", "deploy", "push", "release"].map {
      Term(
        $0,
        "use 'ba-package upload', or 'ba-package download-manifest publish' for your own server")
    }
    + ["new", "generate", "setup"].map {
      Term($0, "use 'ba-package init', or 'ba-package template' for a single manifest")
    }
    + [
      Term("migrate", "use 'ba-package convert'"), Term("import", "use 'ba-package convert'"),
      Term("rm", "use 'ba-package clean'"), Term("remove", "use 'ba-package clean'"),
      Term("config", "use 'ba-package project'"), Term("settings", "use 'ba-package project'"),
      Term("version", "use 'ba-package --version'"), Term("man", "use 'ba-package help'"),
      // Commands of Apple's tool.
      Term(
        "license",
        "remove this step; this program has no license prompt (Apache License 2.0)"),
      Term(
        "foundation-models",
        "use Apple's tool on a Mac, which the Foundation Models framework requires"),
    ]

  /// Options, each with the option that is suggested if the command has it.
  static let options: [(guess: String, option: String)] = [
    ("--out", "--output-path"), ("--output", "--output-path"), ("--outfile", "--output-path"),
    ("--output-file", "--output-path"), ("--output-dir", "--output-path"),
    ("--out-dir", "--output-path"), ("--dest", "--output-path"),
    ("--destination", "--output-path"), ("--to", "--output-path"),
    ("--dir", "--source-root"), ("--root", "--source-root"), ("--source", "--source-root"),
    ("--src", "--source-root"), ("--directory", "--source-root"), ("--cwd", "--chdir"),
    ("--json", "--format json"), ("--markdown", "--format markdown"), ("--md", "--format markdown"),
    ("--html", "--format html"), ("--csv", "--format csv"), ("--sarif", "--format sarif"),
    ("--github", "--format github"), ("--gitlab", "--format gitlab"),
    ("--severity", "--finding"), ("--rule", "--finding"), ("--ignore", "--finding"),
    ("--jobs", "--threads"), ("--dryrun", "--dry-run"),
    ("--overwrite", "--force"), ("--replace", "--force"),
    ("--codec", "--compression"), ("--compress", "--compression"), ("--effort", "--level"),
    ("--best", "--level best"), ("--fast", "--level fast"), ("--config", "--project"),
    ("--silent", "--quiet"), ("--debug", "--verbose"), ("--no-color", "--color never"),
    ("--colour", "--color"), ("--usage", "--help"), ("-?", "--help"),
    ("--timeout-seconds", "--timeout"), ("--size-limit", "--budget"), ("--limit", "--budget"),
  ]
}
