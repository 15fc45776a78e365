import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TerminalText

/// The fixes of `validate --fix`.
struct ManifestFixes {
  /// Whether probable fixes are applied, too.
  let isUnsafe: Bool
  let console: Console
  /// The number of fixes that were applied.
  private(set) var applied = 0

  init(isUnsafe: Bool, _ console: Console) {
    self.isUnsafe = isUnsafe
    self.console = console
  }

  /// Applies the fixes of the project file and writes it back.
  mutating func apply(to place: ProjectPlace) throws(PackError) {
    // The owner and the permissions are checked first.
    _ = try ProjectDocument(reading: place, as: console.projectOwner, console.work)
    Leftovers.remove(beside: place.path, console)
    do throws(Failure) {
      let file = try FileRewrite(place.path)
      let (text, count) = ProjectDocument.fixed(
        try file.contents(atMost: ManifestDocument.readingLimit), unsafe: isUnsafe)
      if count > 0 { try file.replace(by: text) }
      report(count, place.path)
    } catch {
      throw PackError(error, while: .rewriting)
    }
  }

  /// Applies the fixes of a manifest and writes it back.
  mutating func apply(
    to input: Project.Input, for hosting: Hosting?
  ) throws(PackError) -> ManifestDocument {
    let path: String
    switch input {
    case .path(let given): path = given.text
    case .text(let bytes, let name):
      let (document, count) = ManifestDocument.fixed(
        bytes, named: name, for: hosting, unsafe: isUnsafe)
      // Only the beginning of a text that is too large was read; writing it would truncate the
      // file.
      if bytes.count < ManifestDocument.readingLimit {
        console.result(bytes: document.source.bytes)
      }
      report(count, name)
      return document
    }
    do throws(Failure) {
      let file = try FileRewrite(path)
      let bytes = try file.contents(atMost: ManifestDocument.readingLimit)
      let (document, count) = ManifestDocument.fixed(
        bytes, named: path, for: hosting, unsafe: isUnsafe)
      if count > 0 { try file.replace(by: document.source.bytes) }
      report(count, path)
      return document
    } catch {
      switch error.code {
      case EISDIR: return ManifestDocument(folderNamed: path)
      case ENOENT: throw PackError(error, remedy: .startFromTemplate)
      case FileRewrite.notRegular:
        throw PackError(
          error, remedy: "use '--fix -' to fix standard input and print the result")
      default: throw PackError(error, while: .rewriting)
      }
    }
  }

  private mutating func report(_ count: Int, _ name: String) {
    applied += count
    guard count > 0 else { return }
    console.summary("Fixed \(Quantity.count(count, "problem")) in '\(name)'.")
  }
}
