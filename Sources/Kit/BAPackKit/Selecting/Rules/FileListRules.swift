import AssetArchive
import Glibc
import SourceDiagnostics
import SystemIO

/// The rules for lists of source files.
enum FileListRules {
  static let all: [Rule] = [
    unreadable, fields, mode, source, destination, duplicate, fileAndFolder, tooLarge,
  ]

  static let unreadable = Rule(
    "list.unreadable",
    what: "A file list cannot be read.",
    why: "The list names all source files, so no pack can be made without it.",
    example: .init(wrong: "a list that does not exist", right: "644\thero.png\thero.png"))

  static func unreadable(_ error: PackError) -> Finding {
    var error = error
    if error.kind == .system(ENOENT) { error.remedies = ["write the list first"] }
    return unreadable.finding(error, at: nil)
  }

  static let fields = Rule(
    "list.fields",
    what: "A line of a file list does not have three fields.",
    why: """
      A line is a mode, a source and a destination, separated by tabs. In the other form, \
      each of the three fields ends in NUL, so that names can contain tabs and line ends.
      """,
    example: .init(wrong: "644\tbuild/hero.png", right: "644\tbuild/hero.png\tTextures/hero.png"))

  static func fields(isEnd: Bool, at span: SourceSpan) -> Finding {
    if isEnd {
      return fields.finding(
        "the list does not end after three fields", at: span,
        fixes: [Fix("end each mode, source and destination in NUL", .shownOnly)])
    }
    return fields.finding(
      "expected a mode, a source and a destination, separated by tabs", at: span,
      fixes: [
        Fix("write 'MODE<tab>SOURCE<tab>DESTINATION', or end each field in NUL", .shownOnly)
      ])
  }

  static let mode = Rule(
    "list.mode",
    what: "The mode in a file list is neither 644 nor 755.",
    why: "A pack has these two modes for files: 755 for files that their owner can execute.",
    example: .init(wrong: "600\thero.png\thero.png", right: "644\thero.png\thero.png"))

  static func mode(_ mode: String, at span: SourceSpan) -> Finding {
    Self.mode.finding(
      "the mode is '\(mode)'", at: span, fixes: [Fix("write 644 or 755", .shownOnly)])
  }

  /// The reason why a source cannot be packed.
  enum SourceFault {
    case missing, danglingLink
    case kind(FileKind)
    case unreadable(String)
  }

  /// The maximum length of a source in bytes: no system call accepts a longer path.
  static let longestSource = Int(PATH_MAX)

  static let source = Rule(
    "list.source",
    what: "A source in a file list is missing, or is not a readable file.",
    why: """
      Every file of a list is an input of the build, also if no selector selects it. Sources are \
      relative to the current folder. Links are followed.
      """,
    example: .init(
      wrong: "644\tbuild/hero.pgn\tTextures/hero.png",
      right: "644\tbuild/hero.png\tTextures/hero.png"))

  static func source(_ path: String, _ fault: SourceFault, at span: SourceSpan) -> Finding {
    let (message, remedy): (Finding.Message, Finding.Message) =
      switch fault {
      case .missing:
        (
          "there is no file '\(path: path)'",
          "build the file first; sources are relative to the current folder"
        )
      case .danglingLink:
        ("the link '\(path: path)' has a missing target", "build the target of the link first")
      case .kind(.directory):
        ("'\(path: path)' is a folder", "list each file of the folder in a line")
      case .kind: ("'\(path: path)' is not a file", "list a file")
      case .unreadable(let reason):
        ("cannot read '\(path: path)': \(reason)", "make the file readable")
      }
    return source.finding(message, at: span, fixes: [Fix(remedy, .shownOnly)])
  }

  static func source(invalid path: String, at span: SourceSpan) -> Finding {
    source.finding(
      path.isEmpty
        ? "the source is empty" : "the source is not a path of a file: '\(path)'", at: span,
      fixes: [Fix("write the path of a file", .shownOnly)])
  }

  static let destination = Rule(
    "list.destination",
    what: "A destination in a file list is not a path below a source root.",
    why: """
      A destination is the path of the file below the virtual source root. It is relative and \
      normalized, and names of files on all devices can have its characters.
      """,
    example: .init(
      wrong: "644\thero.png\t../Textures/hero.png", right: "644\thero.png\tTextures/hero.png"))

  static func destination(
    _ path: String, _ fault: PathFault, endsInCR: Bool, at span: SourceSpan
  ) -> Finding {
    destination.finding(
      "the destination '\(path)' \(fault.description)", at: span,
      fixes: [
        Fix(
          endsInCR
            ? "end lines in LF instead of CR LF"
            : "write a relative path without '.', '..' and control characters, in UTF-8",
          .shownOnly)
      ])
  }

  static let duplicate = Rule(
    "list.duplicate",
    what: "Two lines of a file list have the same destination.",
    why: "A path of the source root is one file, so one of the sources would be ignored.",
    example: .init(
      wrong: "644\ta/hero.png\thero.png\n644\tb/hero.png\thero.png",
      right: "644\ta/hero.png\thero.png\n644\tb/hero.png\tEvening/hero.png"))

  static func duplicate(_ path: String, at span: SourceSpan, other: SourceSpan) -> Finding {
    duplicate.finding(
      "the destination '\(path: path)' is listed twice", at: span,
      labels: [.init(other, "the first line")],
      fixes: [Fix("remove one of the lines, or change its destination", .shownOnly)])
  }

  static let fileAndFolder = Rule(
    "list.file-and-folder",
    what: "A destination in a file list is both a file and a folder.",
    why: "A path of the source root cannot be both.",
    example: .init(
      wrong: "644\thero.png\tTextures\n644\ttree.png\tTextures/tree.png",
      right: "644\thero.png\tTextures/hero.png\n644\ttree.png\tTextures/tree.png"))

  static func fileAndFolder(_ path: String, at span: SourceSpan, other: SourceSpan) -> Finding {
    fileAndFolder.finding(
      "'\(path: path)' is a file in another line, and a folder here", at: span,
      labels: [.init(other, "a file")],
      fixes: [Fix("change one of the destinations", .shownOnly)])
  }

  static let tooLarge = Rule(
    "list.too-large",
    what: "A file list is too large.",
    why: "The limits of a list are 256 MiB and 4,000,000 files, as many as a pack can have.",
    example: .init(wrong: "a list of 4,000,001 files", right: "a list for each pack"))

  static func tooLarge(_ limit: String, at span: SourceSpan?) -> Finding {
    tooLarge.finding(
      "the list has more than \(limit)", at: span,
      fixes: [Fix("write a list for each pack", .shownOnly)])
  }
}
