extension CommandPath {
  /// One function for the whole program: it finds the command and the option that the cursor stands
  /// behind, and looks both up in tables.
  func bashCompletion() -> String {
    let name = program.root.name
    return """
      # Completion of \(name) for bash, made by '\(name) --generate-completion-script bash'.

      \(functionName)() {
        local current=${COMP_WORDS[COMP_CWORD]} command=\(name.quotedForShell)
        local word option='' values=0
        # An equals sign comes as a word of its own.
        [[ $current == = ]] && current=''

        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case $word in
            -*) option=$word values=0 ;;
            =) ;;
            *)
              case "$command $word" in
      \(bashSubcommands)
                *) values=$((values + 1)) ;;
              esac
              ;;
          esac
        done

        # The value of an option.
        case "$command $option $values" in
      \(bashValues)
        esac

        # An option.
        if [[ $current == -* ]]; then
          case $command in
      \(bashOptions)
          esac
          return
        fi

        # A subcommand or an argument.
        case $command in
      \(bashArguments)
        esac
      }

      # Offers the words of $1.
      \(functionName)_words() {
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
      }

      # Offers folders, and files that match one of the patterns behind the word to complete.
      \(functionName)_files() {
        compopt -o filenames 2>/dev/null
        local current=$1 pattern
        shift
        mapfile -t COMPREPLY < <(
          compgen -d -- "$current"
          for pattern; do compgen -f -X "!$pattern" -- "$current"; done
        )
      }

      complete -F \(functionName) \(name)

      """
  }

  private var bashSubcommands: String {
    let rows = all.dropFirst().flatMap { path in
      ([path.command.name] + path.command.aliases).map { spelling in
        let typed = (path.words.dropLast() + [spelling]).joined(separator: " ")
        return "          \(typed.quotedForShell)) command=\(path.name.quotedForShell)"
          + " option='' values=0 ;;"
      }
    }
    return rows.joined(separator: "\n")
  }

  private var bashValues: String {
    var rows: [String] = []
    for path in all {
      for option in path.options where option.arity != .none {
        let count = option.arity == .several ? "*" : "0"
        let patterns = option.spellings.map { "\("\(path.name) \($0) ".quotedForShell)\(count)" }
        rows.append(
          "    \(patterns.joined(separator: " | "))) \(bash(option.completion)); return ;;")
      }
    }
    return rows.joined(separator: "\n")
  }

  private var bashOptions: String {
    all.map { path in
      let words = path.options.flatMap(\.spellings).joined(separator: " ")
      return "      \(path.name.quotedForShell))"
        + " \(functionName)_words \(words.quotedForShell) \"$current\" ;;"
    }.joined(separator: "\n")
  }

  private var bashArguments: String {
    all.map { path in
      let action: String
      if path.command.subcommands.isEmpty {
        action = bash(path.arguments.last?.completion ?? .nothing)
      } else {
        let words = path.command.subcommands.map(\.name) + (path.steps.isEmpty ? ["help"] : [])
        action = bash(.words(words))
      }
      return "    \(path.name.quotedForShell)) \(action) ;;"
    }.joined(separator: "\n")
  }

  private func bash(_ completion: Completion) -> String {
    switch completion {
    case .nothing: ":"
    case .words(let words):
      "\(functionName)_words \(words.joined(separator: " ").quotedForShell) \"$current\""
    case .folders: "\(functionName)_files \"$current\""
    case .files(let endings):
      "\(functionName)_files \"$current\" "
        + (endings.isEmpty ? ["*"] : endings.map { "*.\($0)" })
        .map(\.quotedForShell).joined(separator: " ")
    }
  }
}
