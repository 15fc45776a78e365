extension CommandPath {
  /// Returns a script for bash 4.4 and later.
  func bashCompletion() -> String {
    let name = program.root.name
    return """
      # Completion of \(name) for bash, made by '\(name) --generate-completion-script bash'.

      \(functionName)() {
        local current=${COMP_WORDS[COMP_CWORD]} command=\(name.quotedForShell)
        local word option='' values=0 action=''
        COMPREPLY=()
        # An equals sign is a separate word.
        [[ $current == = ]] && current=''
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          [[ $word == = ]] || \(functionName)_step "$word"
        done

        if \(functionName)_value; then
          \(functionName)_offer $action
        elif [[ $current == -* ]]; then
          case $command in
      \(bashOptions)
          esac
        else
          case $command in
      \(bashArguments)
          esac
        fi
      }

      \(shellStepTable)

      \(shellValueTable)

      \(bashOffer)

      complete -F \(functionName) \(name)

      """
  }

  private var bashOffer: String {
    """
    # Adds candidates: words, folders, or files by their extensions.
    \(functionName)_offer() {
      local kind=$1 found=() pattern
      shift
      case $kind in
        words) mapfile -t found < <(compgen -W "$*" -- "$current") ;;
        folders)
          compopt -o filenames 2>/dev/null
          mapfile -t found < <(compgen -d -- "$current")
          ;;
        files)
          compopt -o filenames 2>/dev/null
          [[ $# -gt 0 ]] || set -- ''
          mapfile -t found < <(
            compgen -d -- "$current"
            for pattern; do
              compgen -f -X "!*${pattern:+.$pattern}" -- "$current"
            done | while IFS= read -r pattern; do
              [[ -d $pattern ]] || printf '%s\\n' "$pattern"
            done
          )
          ;;
      esac
      COMPREPLY+=("${found[@]}")
    }
    """
  }

  private var bashOptions: String {
    completionStates.map { state in
      let words = Completion.words(state.options.flatMap(\.spellings)).words
      return "      \(state.name.quotedForShell)) \(functionName)_offer \(words) ;;"
    }.joined(separator: "\n")
  }

  private var bashArguments: String {
    completionStates.map { state in
      let offers = [Completion.words(state.offered.map(\.word)), state.argument]
        .filter { $0 != .words([]) && $0 != .nothing }
        .map { "\(functionName)_offer \($0.words)" }
      return "      \(state.name.quotedForShell))"
        + " \(offers.isEmpty ? ":" : offers.joined(separator: "; ")) ;;"
    }.joined(separator: "\n")
  }
}
