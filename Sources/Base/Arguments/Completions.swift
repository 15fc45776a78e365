/// A shell with a completion script.
package enum Shell: String, Sendable, CaseIterable {
  case bash, zsh, fish
}

extension CommandPath {
  /// Returns a script that completes the program's command lines.
  ///
  /// The scripts for all shells use the same method. They read the words before the cursor and
  /// follow subcommands. This gives the command at the cursor, and the option that still needs a
  /// value.
  package func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion()
    case .zsh: zshCompletion()
    case .fish: fishCompletion()
    }
  }

  /// The start of the names of all functions in a script.
  var functionName: String { "_" + names.joined(separator: "_").replacing("-", with: "_") }
}

/// A position of the cursor on a command line: after a command, or in the arguments of `help`.
struct CompletionState {
  /// The words before it: `ba-package pack`, `ba-package help`.
  var name: String
  /// The options that can be typed there.
  var options: [Parameter]
  /// The options that belong to the program itself and not to its default subcommand.
  var ownSpellings: [String] = []
  /// The subcommands or topics, each with the next state; aliases also have a state, but are not
  /// offered.
  var steps: [Step] = []
  /// The next state for a word that is not a subcommand.
  var fallback: String?
  /// The values of a word that is not an option.
  var argument = Completion.nothing

  struct Step {
    var word: String
    var overview: String
    var isOffered: Bool
    /// The name of the next state; nil if there is none.
    var target: String?
  }

  /// The steps that are offered together with arguments.
  var offered: [Step] { steps.filter(\.isOffered) }
}

extension CommandPath {
  /// All places where the cursor can be.
  var completionStates: [CompletionState] {
    all.map(\.completionState)
      + all.filter { !$0.command.subcommands.isEmpty }.map(\.helpState)
  }

  private var completionState: CompletionState {
    var state = CompletionState(name: name, options: options)
    for step in command.subcommands {
      state.steps += ([step.name] + step.aliases).map { word in
        .init(
          word: word, overview: step.overview, isOffered: word == step.name,
          target: appending(step).name)
      }
    }
    if steps.isEmpty {
      state.steps.append(
        .init(
          word: Program.helpCommand.text, overview: Program.helpCommand.meaning, isOffered: true,
          target: helpName))
    }
    state.argument = arguments.last?.completion ?? .nothing
    if let meant = command.defaultSubcommand.flatMap(command.subcommand).map(appending) {
      state.ownSpellings = state.options.flatMap(\.spellings)
      let own = Set(state.options.map(\.name))
      state.options += meant.options.filter { !own.contains($0.name) }
      state.fallback = meant.name
      state.argument = meant.arguments.last?.completion ?? .nothing
    }
    return state
  }

  private var helpName: String {
    ([program.root.name, "help"] + steps.map(\.name)).joined(separator: " ")
  }

  private var helpState: CompletionState {
    var topics = command.subcommands.flatMap { topic in
      ([topic.name] + topic.aliases).map { word in
        CompletionState.Step(
          word: word, overview: topic.overview, isOffered: word == topic.name,
          target: topic.subcommands.isEmpty ? nil : appending(topic).helpName)
      }
    }
    if steps.isEmpty {
      topics += program.topics.map { topic in
        .init(word: topic.name, overview: topic.summary, isOffered: true, target: nil)
      }
    }
    return CompletionState(name: helpName, options: program.sharedOptions, steps: topics)
  }
}

extension CompletionState {
  /// The options with a value, each with the patterns of `name option count` that still need one.
  var valueRows: [(patterns: [String], completion: Completion)] {
    options.filter { $0.arity != .none }.map { option in
      let count = option.arity == .several ? "*" : "0"
      return (
        option.spellings.map { "\("\(name) \($0) ".quotedForShell)\(count)" }, option.completion
      )
    }
  }
}

extension Completion {
  /// The arguments of the function that offers candidates, in the scripts for bash and zsh.
  var words: String {
    switch self {
    case .nothing: "nothing"
    case .words(let words): (["words"] + words).joined(separator: " ")
    case .folders: "folders"
    case .files(let endings): (["files"] + endings).joined(separator: " ")
    }
  }
}

extension String {
  /// In single quotes for a POSIX shell.
  var quotedForShell: String { "'" + replacing("'", with: "'\\''") + "'" }
}

/// The common part of the scripts for bash and zsh: tables as `case` statements.
extension CommandPath {
  /// Sets `action` to the values of the option before the cursor; fails if no option needs a value.
  var shellValueTable: String {
    let rows = completionStates.flatMap(\.valueRows).map {
      "    \($0.patterns.joined(separator: " | "))) action=\($0.completion.words.quotedForShell) ;;"
    }
    return """
      # The values of the option before the cursor, if it needs one.
      \(functionName)_value() {
        case "$command $option $values" in
      \(rows.joined(separator: "\n"))
          *) return 1 ;;
        esac
      }
      """
  }

  /// Sets `command` to the state after one more word before the cursor.
  var shellStepTable: String {
    let steps = completionStates.flatMap { state in
      state.steps.compactMap { step in
        step.target.map {
          "        \("\(state.name) \(step.word)".quotedForShell)) command=\($0.quotedForShell) ;;"
        }
      }
    }
    let fallbacks = completionStates.compactMap { state in
      state.fallback.map { " \(state.name.quotedForShell)) command=\($0.quotedForShell) ;;" }
    }
    // A word that is not in the table above selects the default subcommand.
    let other = "        *) case $command in\(fallbacks.joined()) esac ;;"
    let own = completionStates.filter { $0.fallback != nil }.map { state in
      let spellings = state.ownSpellings.map { "\(state.name) \($0)".quotedForShell }
      return "        \(spellings.joined(separator: " | "))) ;;"
    }
    return """
      # Reads the word $1.
      \(functionName)_step() {
        local action
        if [[ $1 == -?* ]]; then
          option=${1%%=*} values=0
          # An option of the default command only.
          case "$command $option" in
      \((own + [other]).joined(separator: "\n"))
          esac
          # Short options in one word: only the last one can need a value.
          if [[ $1 == --*=* ]]; then option=''
          elif [[ $1 == -[!-]?* ]]; then option=-${1: -1}
          fi
        elif \(functionName)_value; then
          values=$((values + 1))
        else
          option=''
          case "$command $1" in
      \((steps + [other]).joined(separator: "\n"))
          esac
        fi
      }
      """
  }
}
