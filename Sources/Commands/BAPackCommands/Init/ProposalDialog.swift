import Arguments
import BAPackKit
import Proposing
import SystemIO
import TerminalText

/// The prompt after a proposal, which shows more of it and reads changes of the choices.
struct ProposalDialog {
  enum Reply {
    case decided(WritingPrompt.Decision)
    case change(InitChoices)
  }

  private let draft: InitDraft
  private let program: Program
  private let console: Console

  init(_ draft: InitDraft, _ program: Program, _ console: Console) {
    self.draft = draft
    self.program = program
    self.console = console
  }

  /// The maximum number of lines about the files of a pack.
  private static let mostLines = 40

  /// Returns what the user decided, by an option or at the prompt.
  func decision(
    _ choices: InitChoices, _ prompt: WritingPrompt
  ) throws(PackError) -> Reply {
    let question = "Write \(draft.result.list(isWritten: false))?"
    guard prompt.isShown(console) else { return .decided(try prompt.decide(question, console)) }
    while let line = try console.prompt(question + " [Y/n/?]") {
      switch line.lowercased() {
      case "", "y", "yes": return .decided(.write)
      case "n", "no": return .decided(.leave)
      case "?", "help": console.finding(text: Self.help)
      default:
        if let changed = change(choices, line) { return .change(changed) }
      }
    }
    console.finding(text: "\n")
    return .decided(.leave)
  }

  /// Returns the choices after a line; nil if it changes nothing.
  private func change(_ choices: InitChoices, _ line: String) -> InitChoices? {
    let words = line.split(maxSplits: 1) { $0.isWhitespace }.map(String.init)
    let name = words[0].hasPrefix("--") ? String(words[0].dropFirst(2)) : words[0]
    var choices = choices
    switch name {
    case "files":
      show(filesOf: words.dropFirst().first)
      return nil
    case "rename":
      let ids = words.dropFirst().joined().split { $0.isWhitespace }.map(String.init)
      guard ids.count == 2 else {
        say("'rename' requires two IDs, such as 'rename core base'.")
        return nil
      }
      choices.rename(ids[0], to: ids[1])
      return choices
    default:
      let names = InitChoices.options.map(\.parameter.name)
      guard names.contains(String(name.prefix { $0 != "=" })) else {
        let near = Spelling.nearest(to: name, among: names + ["files", "rename"])
        say(near.map { "Did you mean '\($0)'?" } ?? "Type 'y', 'n', or '?' for changes.")
        return nil
      }
      do throws(CommandLineError) {
        let line = ["init", "--" + name] + words.dropFirst()
        guard case .run(let arguments) = try program.parse(line) else { return nil }
        choices.add(arguments)
        return choices
      } catch {
        say(error.error.message + ".")
        return nil
      }
    }
  }

  private func say(_ text: String) { console.finding(text: shown(text) + "\n") }

  // MARK: Help

  /// The lines that the prompt accepts; options have the texts of the command.
  private static var help: String {
    var table = TextTable([.left, .left])
    table.add("y, Enter", "Write the files.")
    table.add("n", "Write no file.")
    table.add("files ID", "Show the files of a pack.")
    table.add("rename ID NEW", "Give a pack another ID.")
    for option in InitChoices.options.map(\.parameter) {
      let value = option.valueName.isEmpty ? "" : " " + option.valueName.uppercased()
      table.add(option.name + value, option.help.replacing("; repeatable", with: ""))
    }
    return table.lines.joined(separator: "\n") + "\n"
  }

  // MARK: Files

  /// Shows the files of a pack; if there are many, the folders.
  private func show(filesOf id: String?) {
    do throws(PackError) {
      guard let id else {
        return say("'files' requires an ID, such as 'files \(draft.ids.first ?? "core")'.")
      }
      let pack = draft.proposal.packs[try draft.proposal.index(of: id)]
      let files = pack.files.joined().filter { draft.tree.files[$0].kind == .file }
      var table = TextTable([.left, .right, .right])
      var rest = 0
      if files.count <= Self.mostLines {
        for file in files {
          table.add(
            FilePath(draft.tree.path(ofFile: file)).shown,
            Quantity.bytes(draft.tree.files[file].size))
        }
      } else {
        let folders = Dictionary(grouping: files) { draft.tree.files[$0].folder }
          .sorted { $0.key < $1.key }
        for (folder, files) in folders.prefix(Self.mostLines) {
          let path = FilePath(draft.tree.path(ofFolder: Int(folder))).shown
          table.add(
            (path.isEmpty ? "." : path) + "/",
            Quantity.bytes(files.map { draft.tree.files[$0].size }.saturatedSum),
            Quantity.count(files.count, "file"))
        }
        rest = max(0, folders.count - Self.mostLines)
      }
      console.finding(text: table.lines.joined(separator: "\n") + "\n")
      if rest > 0 { say("… and \(Quantity.count(rest, "more folder"))") }
    } catch {
      say(error.message + ".")
    }
  }
}

extension InitDraft {
  fileprivate var ids: [String] { proposal.packs.map(\.manifest.assetPackID) }
}
