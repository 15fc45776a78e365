import BAPackKit
package import SourceDiagnostics
import TerminalText

extension AppSetup {
  /// The first line of the texts.
  private var heading: String {
    let subject = name.map { "\($0): " } ?? ""
    let hosting =
      switch kind {
      case .appleHosted: "packs that Apple hosts"
      case .selfHosted: "packs on your own server"
      case .unmanaged: "downloads without packs"
      }
    return subject + hosting
  }

  /// The last line of the texts.
  private var summary: String {
    let unknown = count(.unknown)
    return "\(count(.done)) done, \(count(.missing)) missing"
      + (unknown > 0 ? ", \(unknown) not visible in the inspected files" : "")
  }

  private static func mark(_ state: State) -> String {
    switch state {
    case .done: "done"
    case .missing: "missing"
    case .unknown: "check"
    }
  }

  /// The tasks as text for a terminal.
  package var text: String {
    var lines = [heading, ""]
    for (index, item) in items.enumerated() {
      let state = Self.mark(item.state).padded(to: 8)
      lines.append("\(String(index + 1).padded(to: 2, .right))  \(state) \(item.requirement.title)")
      for part in item.parts {
        lines.append("      \(Self.mark(part.state).padded(to: 8)) \(part.text)")
      }
      guard item.state != .done else { continue }
      for line in item.notes + item.requirement.details { lines.append("      \(line)") }
    }
    return (lines + ["", summary + "."]).joined(separator: "\n") + "\n"
  }

  /// The tasks as a checklist in Markdown.
  package var markdown: String {
    var lines = ["# App setup", "", inMarkdown(heading) + ".", ""]
    for item in items {
      let box = item.state == .done ? "[x]" : "[ ]"
      let note = item.state == .unknown ? " (not visible in the inspected files)" : ""
      lines.append("- \(box) \(inMarkdown(item.requirement.title))\(note)")
      for part in item.parts {
        lines.append("  - \(part.state == .done ? "[x]" : "[ ]") \(codeInMarkdown(part.text))")
      }
      guard item.state != .done else { continue }
      for line in item.notes + item.requirement.details { lines.append("  - \(inMarkdown(line))") }
    }
    return (lines + ["", summary + "."]).joined(separator: "\n") + "\n"
  }
}

// MARK: - JSON

extension AppSetup {
  /// The members of the result for programs.
  package static let table = Table<Self>(written: "a setup") {
    Key("name", written: \.name, .text, "The name of the app or its project.")
    Key("hosting", written: \.kind, .word, "The kind of downloads.")
    Key("appGroupID", written: \.group, .text, "The app group, if it is known.")
    Key("engine", written: \.engine, .word, "The engine that writes the project.")
    Key(
      "keys", written: \.keys?.jsonValue, .anything,
      "The keys of Info.plist; absent if the packs are needed first.")
    Key("items", written: \.items, .list(of: .object(item)), "The tasks, in order.")
  }

  private static let item = Table<Item>(written: "a task") {
    Key("id", written: \.requirement.id, .word, "The task.")
    Key("state", written: \.state, .word, "Whether the task is done.")
    Key("title", written: \.requirement.title, .text, "The task as a sentence.")
    Key("parts", written: \.parts, .list(of: .object(part)), "The parts of the task.")
    Key("notes", written: \.notes, .list(of: .text), "The contents of the inspected files.")
    Key("details", written: \.requirement.details, .list(of: .text), "The details of the task.")
  }

  private static let part = Table<Part>(written: "a part of a task") {
    Key("text", written: \.text, .text, "The part, for example a key and its value.")
    Key("state", written: \.state, .word, "Whether the part is done.")
  }
}
