/// A shell for which a completion script can be made.
package enum Shell: String, Sendable, CaseIterable {
  case bash, zsh, fish
}

extension CommandPath {
  /// A script that completes the program's command lines.
  package func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion()
    case .zsh: zshCompletion()
    case .fish: fishCompletion()
    }
  }

  /// The name of the shell function that completes this command.
  var functionName: String { "_" + words.joined(separator: "_").replacing("-", with: "_") }

  /// The subcommand that is meant when none is named.
  var defaultPath: CommandPath? {
    command.defaultSubcommand.flatMap(command.subcommand).map(appending)
  }
}

extension String {
  /// Within single quotes of a POSIX shell.
  var quotedForShell: String { "'" + replacing("'", with: "'\\''") + "'" }
}
