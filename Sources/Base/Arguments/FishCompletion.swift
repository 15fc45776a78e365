extension CommandPath {
  /// Returns a script for fish: one line for each subcommand and each option, with the state in
  /// which it is offered.
  func fishCompletion() -> String {
    let name = program.root.name
    var lines = [fishFunctions]
    for state in completionStates {
      let inCommand = "complete -c \(name) -n \"_\(functionName)_in command '\(state.name)'\""
      let free = "complete -c \(name) -n \"_\(functionName)_in place '\(state.name)'\""
      lines += state.offered.map {
        free + " -f -a \($0.word) -d \($0.overview.quotedForFish)"
      }
      lines.append(free + " -f" + state.argument.fishWords)
      lines += state.options.map { inCommand + $0.fishOption }
      // If an option has several values, fish completes only the first without this line.
      lines += state.options.filter { $0.arity == .several }.flatMap { option in
        option.spellings.map { spelling in
          "complete -c \(name) -n \"_\(functionName)_in place '\(state.name) \(spelling)'\" -f"
            + option.completion.fishWords
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var fishFunctions: String {
    let name = program.root.name
    let steps = completionStates.flatMap { state in
      state.steps.compactMap { step in
        step.target.map {
          "            case \("\(state.name) \(step.word)".quotedForFish)\n"
            + "                set command \($0.quotedForFish)"
        }
      }
    }
    let fallbacks = completionStates.compactMap { state in
      state.fallback.map {
        "            case '*'\n                test $command = \(state.name.quotedForFish)"
          + "; and set command \($0.quotedForFish)"
      }
    }
    let own = completionStates.filter { $0.fallback != nil }.map { state in
      let spellings = state.ownSpellings.map { "\(state.name) \($0)".quotedForFish }
      return "            case \(spellings.joined(separator: " "))\n                # Its own."
    }
    let values = completionStates.flatMap { state in
      state.options.filter { $0.arity != .none }.map { option in
        let count = option.arity == .several ? "*" : "0"
        let patterns = option.spellings.map { "'\(state.name) \($0) \(count)'" }
        return "        case \(patterns.joined(separator: " "))\n            return 0"
      }
    }
    return """
      # Completion of \(name) for fish, made by '\(name) --generate-completion-script fish'.

      # Reads the words before the cursor and stores the command and the place. The place is the
      # command, followed by the option if the option still needs a value.
      function _\(functionName)_walk
          set -l words (commandline -opc)
          set -e words[1]
          set -l line (string join \\n -- x $words)
          test "$line" = "$_\(functionName)_line"; and return
          set -l command \(name.quotedForFish)
          set -l option ''
          set -l values 0
          for word in $words
              if string match -q -- '-?*' $word
                  set option (string replace -r '=.*' '' -- $word)
                  set values 0
                  switch "$command $option"
      \((own + fallbacks).joined(separator: "\n"))
                  end
                  if string match -q -- '--*=*' $word
                      set option ''
                  else if string match -qr -- '^-[^-].' $word
                      set option -(string sub -s -1 -- $word)
                  end
              else if _\(functionName)_waits $command $option $values
                  set values (math $values + 1)
              else
                  set option ''
                  switch "$command $word"
      \((steps + fallbacks).joined(separator: "\n"))
                  end
              end
          end
          set -g _\(functionName)_line $line
          set -g _\(functionName)_command $command
          set -g _\(functionName)_place $command
          _\(functionName)_waits $command $option $values
          and set -g _\(functionName)_place "$command $option"
      end

      # Whether the option before a word needs a value.
      function _\(functionName)_waits
          switch "$argv"
      \(values.joined(separator: "\n"))
          end
          return 1
      end

      function _\(functionName)_in
          _\(functionName)_walk
          set -l now _\(functionName)_$argv[1]
          test "$$now" = $argv[2]
      end

      """
  }
}

extension Completion {
  /// The candidates of a line.
  fileprivate var fishWords: String {
    switch self {
    case .nothing: ""
    case .words(let words): " -a \(words.joined(separator: " ").quotedForFish)"
    case .folders: " -a '(__fish_complete_directories)'"
    case .files(let endings):
      " -a '("
        + (endings.isEmpty
          ? "__fish_complete_path"
          : "__fish_complete_suffix " + endings.map { ".\($0)" }.joined(separator: " ")) + ")'"
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
    default: value = " -x" + completion.fishWords
    }
    return names + value + " -d \(help.quotedForFish)"
  }
}

extension String {
  fileprivate var quotedForFish: String {
    "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
