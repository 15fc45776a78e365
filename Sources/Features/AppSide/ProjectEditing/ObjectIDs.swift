import BAPackKit
import BlockCodecs
import SystemIO
import TerminalText

/// The IDs of the objects of an extension: 24 hexadecimal digits of a digest.
///
/// They depend only on the IDs of the project and of the app, and on the role of the object. A
/// project that an engine writes again gets the same objects again.
struct ObjectIDs {
  private let project: String
  private let app: String

  init(project: String, app: String) {
    self.project = project
    self.app = app
  }

  /// Returns the ID of the object with a role, such as `target`.
  func id(_ role: String) throws(PackError) -> String {
    let text = ["ba-package app add-extension", project, app, role].joined(separator: "\n")
    let digest = try mapFailure(.reading) { () throws(Failure) in
      try sha256(of: Array(text.utf8))
    }
    return hexadecimal(digest.prefix(12)).uppercased()
  }
}
