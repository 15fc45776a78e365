extension CommandPath {
  /// Returns a script for zsh.
  ///
  /// It does not use `_arguments`, which stops at a repeated option and does not support default
  /// subcommands.
  func zshCompletion() -> String {
    let name = program.root.name
    return """
      #compdef \(name)
      # Completion of \(name) for zsh, made by '\(name) --generate-completion-script zsh'.

      \(functionName)() {
        local command=\(name.quotedForShell) option='' action='' word
        integer values=0
        local -a offers
        for word in "${(@)words[2,CURRENT-1]}"; do
          \(functionName)_step "${(Q)word}"
        done

        local current=$PREFIX
        # A value after an equals sign.
        if [[ $current == --*=* ]]; then
          option=${current%%=*}
          compset -P '--*='
        fi
        if \(functionName)_value; then
          \(functionName)_offer ${=action}
        elif [[ $current == -* ]]; then
          case $command in
      \(zshOptions)
          esac
          _describe -o option offers
        else
          case $command in
      \(zshArguments)
          esac
          (( $#offers )) && _describe -t commands command offers
          [[ -n $action ]] && \(functionName)_offer ${=action}
        fi
      }

      \(shellStepTable)

      \(shellValueTable)

      # Offers words, folders, or files by their extensions.
      \(functionName)_offer() {
        local kind=$1
        shift
        case $kind in
          words) compadd -- "$@" ;;
          folders) _files -/ ;;
          files) if (( $# )); then _files -g "*.(${(j:|:)@})(-.)"; else _files; fi ;;
        esac
      }

      # The script can be loaded from $fpath or with 'source'.
      if [[ $funcstack[1] == _\(name) ]]; then
        \(functionName) "$@"
      else
        compdef \(functionName) \(name)
      fi

      """
  }

  private var zshOptions: String {
    completionStates.map { state in
      let rows = state.options.flatMap { option in
        option.spellings.map { described($0, option.help) }
      }
      return "      \(state.name.quotedForShell)) offers=(\(rows.joined(separator: " "))) ;;"
    }.joined(separator: "\n")
  }

  private var zshArguments: String {
    completionStates.map { state in
      let rows = state.offered.map { described($0.word, $0.overview) }
      let action = state.argument == .nothing ? "" : state.argument.words
      return "      \(state.name.quotedForShell)) offers=(\(rows.joined(separator: " ")))"
        + " action=\(action.quotedForShell) ;;"
    }.joined(separator: "\n")
  }

  private func described(_ word: String, _ text: String) -> String {
    "\(word):\(text)".quotedForShell
  }
}
