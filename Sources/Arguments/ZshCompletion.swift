extension CommandPath {
  /// One function for each command, which hands that command's table to zsh's `_arguments`.
  func zshCompletion() -> String {
    let name = program.root.name
    return """
      #compdef \(name)
      # Completion of \(name) for zsh, made by '\(name) --generate-completion-script zsh'.

      \(all.map(\.zshFunction).joined(separator: "\n"))
      # Both ways of loading it work: from $fpath, and by 'source'.
      if [[ $funcstack[1] == _\(name) ]]; then
        \(functionName) "$@"
      else
        compdef \(functionName) \(name)
      fi

      """
  }

  private var zshFunction: String {
    var specs = options.map(\.zshOption)
    guard !command.subcommands.isEmpty else {
      specs += arguments.map(\.zshArgument)
      return """
        \(functionName)() {
          _arguments -s -S \\
            \(specs.joined(separator: " \\\n    "))
        }

        """
    }
    specs += ["'1: :->command'", "'*:: :->rest'"]
    return """
      \(functionName)() {
        local context state state_descr line
        typeset -A opt_args
        _arguments -C -s -S \\
          \(specs.joined(separator: " \\\n    ")) && return

        case $state in
          command)
            local -a commands=(
              \(zshCommands.joined(separator: "\n        "))
            )
            _describe -t commands command commands
            \(defaultPath?.arguments.last?.zshAction ?? ":")
            ;;
          rest)
            case $words[1] in
              \(zshDispatch.joined(separator: "\n        "))
            esac
            ;;
        esac
      }

      """
  }

  private var zshCommands: [String] {
    command.subcommands.map { command in
      "\(command.name):\(command.overview.replacing(":", with: "\\:"))".quotedForShell
    } + (steps.isEmpty ? ["'help:Show help of a subcommand.'"] : [])
  }

  private var zshDispatch: [String] {
    let named = command.subcommands.map { command in
      let names = ([command.name] + command.aliases).joined(separator: "|")
      return "\(names)) \(appending(command).functionName) ;;"
    }
    return named + (defaultPath.map { ["*) \($0.functionName) ;;"] } ?? [])
  }
}

extension Parameter {
  fileprivate var zshOption: String {
    let text = "[\(help.escapedForZsh)]"
    let value: String
    switch arity {
    case .none: value = ""
    case .one: value = ":\(valueName):\(zshAction)"
    // Words up to the next option.
    case .several: value = ":*-*:\(valueName):\(zshAction)"
    }
    let equals = arity == .one ? "=" : ""
    guard let short else {
      return "\(arity == .several ? "*" : "")--\(name)\(equals)\(text)\(value)".quotedForShell
    }
    let names = "{-\(short)\(arity == .one ? "+" : ""),--\(name)\(equals)}"
    return "'(-\(short) --\(name))'\(names)\((text + value).quotedForShell)"
  }

  fileprivate var zshArgument: String {
    "\(arity == .several ? "*" : ""):\(valueName):\(zshAction)".quotedForShell
  }

  fileprivate var zshAction: String {
    switch completion {
    case .nothing: " "
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .folders: "_files -/"
    case .files(let endings):
      switch endings.count {
      case 0: "_files"
      case 1: "_files -g \"*.\(endings[0])\""
      default: "_files -g \"*.(\(endings.joined(separator: "|")))\""
      }
    }
  }
}

extension String {
  fileprivate var escapedForZsh: String {
    reduce(into: "") { $0 += ["[", "]", ":", "\\"].contains($1) ? "\\\($1)" : String($1) }
  }
}
