import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import AppSide

extension XcodeSample {
  static let classic = XcodeSample()
  static let synchronized: XcodeSample = {
    var sample = XcodeSample()
    sample.isSynchronized = true
    return sample
  }()

  /// Determines the change of a project that adds an extension for packs that Apple hosts.
  static func addition(
    to project: FilePath, app: String = "Game"
  ) throws(PackError) -> ExtensionAddition {
    let keys = InfoPlistFragment(ofAppleHostedAppInGroup: group).keys
    return try ExtensionAddition(
      to: project, app: app, .init(kind: .appleHosted, group: group, keys: keys), .unstoppable)
  }

  static func addition(
    to folder: borrowing TemporaryFolder, app: String = "Game"
  ) throws(PackError) -> ExtensionAddition {
    try addition(to: folder.filePath("Game.xcodeproj"), app: app)
  }

  /// Returns the reason why a project gets no extension.
  static func reason(_ folder: borrowing TemporaryFolder) -> String {
    do throws(PackError) {
      _ = try addition(to: folder)
      return "nothing was refused"
    } catch {
      return error.message
    }
  }

  static func text(_ path: String, _ folder: borrowing TemporaryFolder) throws -> String {
    String(decoding: try folder.contents(path), as: UTF8.self)
  }

  /// Returns the objects of a project.
  static func objects(_ text: String) throws -> [String: PlacedValue] {
    let list = try OldPropertyList.read(Array(text.utf8))
    let members = try #require(list["objects"]).members
    return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
  }

  /// Adds the extension to this project, and returns the texts before and after.
  func result(
    in folder: borrowing TemporaryFolder
  ) throws -> (addition: ExtensionAddition, before: String, after: String) {
    try write(to: folder)
    let addition = try Self.addition(to: folder)
    try addition.write()
    return (addition, project, try Self.text("Game.xcodeproj/project.pbxproj", folder))
  }
}
