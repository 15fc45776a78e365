import Foundation

/// The assets of the game, through the constants in AssetPacks.swift.
///
/// `ba-package app code --format swift -o App/AssetPacks.swift` writes that file again after a
/// change of the packs.
enum LanternAssets {
  /// A level of the game.
  enum Level: String, CaseIterable {
    case cave, forest

    /// The pack with the files of the level.
    var pack: AssetPacks.Pack {
      switch self {
      case .cave: .lanternLevelCave
      case .forest: .lanternLevelForest
      }
    }

    /// The map of the level.
    var map: AssetPacks.File {
      switch self {
      case .cave: AssetPaths.Levels.Cave.mapJson
      case .forest: AssetPaths.Levels.Forest.mapJson
      }
    }
  }

  /// Prepares the first screen.
  ///
  /// The pack is essential, so that it is usually on the device already.
  static func start() async throws -> Data {
    try await AssetPacks.ensure(.lanternTutorial)
    return try AssetPacks.contents(of: AssetPaths.Levels.tutorialJson)
  }

  /// Returns the map of a level, and downloads the level before if it is missing.
  ///
  /// Cancel the task to stop the download.
  static func map(
    of level: Level, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Data {
    try await AssetPacks.ensure(level.pack, progress: progress)
    return try AssetPacks.contents(of: level.map)
  }

  /// Returns the greeting in a language; nil if the game has no such translation.
  static func greeting(in language: String) async throws -> Data? {
    let file = AssetPaths.Voices.helloWav
    guard let pack = file.pack(for: language) else { return nil }
    try await AssetPacks.ensure(pack)
    return try AssetPacks.contents(of: file, language: language)
  }

  /// Removes the levels from the device.
  static func removeLevels() async throws {
    for level in Level.allCases { try await AssetPacks.remove(level.pack) }
  }

  /// Returns the sentence for an error of these functions.
  static func text(for error: any Error) -> String {
    switch error {
    case AssetPacks.Problem.noFile: "This part of the game is not on the device."
    case is CancellationError: "The download was stopped."
    case let problem as AssetPacks.Problem: problem.description
    default: error.localizedDescription
    }
  }
}
