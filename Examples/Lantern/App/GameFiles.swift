// The files of Lantern that are in packs. `AssetPacks.swift` has the constants; write it with:
//
//     ba-package app code --format swift -o App/AssetPacks.swift
import Foundation

/// Loads files of the game from its packs.
enum GameFiles {
  /// Loads the steps of the tutorial.
  ///
  /// The pack is essential. It can nevertheless be missing, for example after a failed download.
  static func tutorial() async throws -> Data {
    try await AssetPacks.ensure(.lanternTutorial)
    return try AssetPacks.contents(of: AssetPaths.Tutorial.stepsJson)
  }

  /// Downloads the level in the cave, and returns its map.
  ///
  /// - Parameter progress: A function that receives the finished part, from 0 to 1.
  static func cave(progress: @escaping @Sendable (Double) -> Void) async throws -> Data {
    try await AssetPacks.ensure(.lanternLevelCave, progress: progress)
    return try AssetPacks.contents(of: AssetPaths.Levels.Cave.mapJson)
  }

  /// Returns the size of the download of the level in the cave, to show it before the download.
  static func caveDownload() async throws -> Int {
    try await AssetPacks.downloadSize(of: [.lanternLevelCave])
  }

  /// Removes the level after it is finished.
  static func leaveCave() async throws { try await AssetPacks.remove(.lanternLevelCave) }

  /// Returns the greeting in a language; nil if the game has no voice for it.
  static func greeting(in language: String) async throws -> Data? {
    let hello = AssetPaths.Voices.helloWav
    guard let pack = hello.pack(for: language) else { return nil }
    try await AssetPacks.ensure(pack)
    return try AssetPacks.contents(of: hello, language: language)
  }

  /// Returns the URL of the music for a music player, which needs a path; nil if its pack is missing.
  static func music() -> URL? {
    try? AssetPacks.url(of: AssetPaths.Sounds.Music.islandWav)
  }
}
