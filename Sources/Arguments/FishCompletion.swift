extension CommandPath {
  /// One line for each subcommand and each option, with the condition under which it is offered.
  func fishCompletion() -> String {
    let name = program.root.name
    var lines = [
      "# Completion of \(name) for fish, made by '\(name) --generate-completion-script fish'.", "",
    ]
    for path in all {
      let start = "complete -c \(name) -n \(path.fishCondition.quotedForFish)"
      for command in path.command.subcommands {
        let others = path.fishNames(of: path.command.subcommands)
        let condition =
          path.steps.isEmpty
          ? path.fishCondition
          : "\(path.fishCondition); and not __fish_seen_subcommand_from \(others)"
        lines.append(
          "complete -c \(name) -n \(condition.quotedForFish) -a \(command.name)"
            + " -d \(command.overview.quotedForFish)")
      }
      if path.steps.isEmpty {
        lines.append(start + " -a help -d 'Show help of a subcommand.'")
      }
      if path.command.subcommands.isEmpty {
        lines.append(start + path.fishArguments)
      }
      lines += path.options.map { start + $0.fishOption }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// When this command is the one being typed: its names were seen, or, for the one that is meant
  /// when none is named, no other was.
  private var fishCondition: String {
    guard let command = steps.last else { return "__fish_is_first_token" }
    var parent = CommandPath(program)
    var conditions: [String] = []
    for step in steps.dropLast() {
      parent = parent.appending(step)
      conditions.append("__fish_seen_subcommand_from \(fishNames(of: [step]))")
    }
    if parent.command.defaultSubcommand == command.name {
      let others = parent.command.subcommands.filter { $0.name != command.name }
      conditions.append("not __fish_seen_subcommand_from \(fishNames(of: others))")
    } else {
      conditions.append("__fish_seen_subcommand_from \(fishNames(of: [command]))")
    }
    return conditions.joined(separator: "; and ")
  }

  private func fishNames(of commands: [Command]) -> String {
    commands.flatMap { [$0.name] + $0.aliases }.joined(separator: " ")
  }

  private var fishArguments: String {
    switch arguments.last?.completion ?? .nothing {
    case .nothing: " -f"
    case .words(let words): " -f -a \(words.joined(separator: " ").quotedForFish)"
    case .folders: " -f -a '(__fish_complete_directories)'"
    case .files: " -F"
    }
  }
}

extension Parameter {
  fileprivate var fishOption: String {
    let names = (short.map { " -s \($0)" } ?? "") + " -l \(name)"
    let value: String
    switch (arity, completion) {
    case (.none, _): value = ""
    case (_, .nothing): value = " -x"
    case (_, .words(let words)): value = " -x -a \(words.joined(separator: " ").quotedForFish)"
    case (_, .folders): value = " -x -a '(__fish_complete_directories)'"
    case (_, .files): value = " -r -F"
    }
    return names + value + " -d \(help.quotedForFish)"
  }
}

extension String {
  fileprivate var quotedForFish: String {
    "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
