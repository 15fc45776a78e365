import SourceDiagnostics
import SystemIO

/// A pack holds files and folders.
enum SpecialFile {
  static let rule = Rule(
    "files.special-file",
    what: "A device, a pipe or a socket is selected.",
    why: "It has no contents of its own that could be packed.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "run"}]"#,
      right: #""fileSelectors": [{"directory": "run"}, {"fileExclusion": "run/control"}]"#))

  static func finding(_ path: String, _ kind: FileKind, at span: SourceSpan?) -> Diagnostic {
    let name =
      switch kind {
      case .characterDevice, .blockDevice: "a device"
      case .pipe: "a pipe"
      case .socket: "a socket"
      case .file, .directory, .symbolicLink, .unknown: "no file"
      }
    return rule.finding(.error, "'\(path: path)' is \(name)", at: span)
  }
}
