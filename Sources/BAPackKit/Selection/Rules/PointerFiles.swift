import SourceDiagnostics
import SystemIO

/// A file is there itself, not a pointer that stands for it in a repository.
enum PointerFiles {
  static let rule = Rule(
    "files.pointer",
    what: "A selected file is a pointer of Git LFS, DVC or git-annex, not the file it stands for.",
    why: """
      Large files are often kept outside of a repository, and a checkout has a few lines of text in \
      their place until they are fetched. Packed, they would reach devices as broken textures and sounds.
      """,
    example: .init(
      wrong: "hero.png: version https://git-lfs.github.com/spec/v1 …",
      right: "hero.png, after 'git lfs pull'"))

  /// Who left the pointer.
  enum Kind: Sendable {
    case gitLFS, dvc, gitAnnex
  }

  /// The sizes that a pointer can have.
  static let sizes: ClosedRange<UInt64> = 24...1024
  /// How much of a file is looked at.
  static let look = 1024

  /// Whether a file of this name and size can be a pointer.
  static func mayBe(_ path: ArraySlice<UInt8>, size: UInt64) -> Bool {
    sizes.contains(size) || isDVC(path) && size > 0
  }

  private static func isDVC(_ path: ArraySlice<UInt8>) -> Bool {
    path.suffix(4).elementsEqual(".dvc".utf8)
  }

  /// What kind of pointer a file is, by its name and its first bytes; nil for any other file.
  static func kind(of path: ArraySlice<UInt8>, _ start: [UInt8]) -> Kind? {
    if start.starts(with: "version https://git-lfs.github.com/spec/".utf8)
      || start.starts(with: "version https://hawser.github.com/spec/".utf8)
    {
      return .gitLFS
    }
    if start.starts(with: "/annex/objects/".utf8) { return .gitAnnex }
    let isList = start.starts(with: "outs:".utf8) || start.holds("\nouts:")
    return isDVC(path) && isList ? .dvc : nil
  }

  static func report(
    _ kind: Kind, _ entry: Selection.Entry, _ findings: inout SelectionFindings
  ) {
    guard let selector = entry.selector else { return }
    let (owner, remedy): (Diagnostic.Message, Diagnostic.Message) =
      switch kind {
      case .gitLFS: ("Git LFS", "run git lfs pull")
      case .gitAnnex: ("git-annex", "run git annex get")
      case .dvc: ("DVC", "run dvc pull, and select the file instead of the pointer")
      }
    findings.add(
      rule.finding(
        .error, "'\(path: entry.destination)' is a \(owner) pointer, not the file: \(remedy)",
        at: findings.source(of: selector), fixes: kind == .dvc ? [findings.exclude("*.dvc")] : []))
  }

  /// Whether a symbolic link leads into the store of git-annex.
  static func isAnnexLink(to target: [UInt8]) -> Bool { target.holds(".git/annex/objects/") }
}
