import Arguments
import BAPackKit
import DeviceSimulator
import SystemIO

/// The old packs of the channels of App Store Connect: a folder with a folder of packs or a report
/// for each, for example `released/store` and `released/external.json`.
struct BaselineChannels {
  static let option = Option<Channel>(
    "channel", .choice, called: "channel", in: .input,
    "Compare with this channel of the old packs.",
    details: """
      The old packs of channels are a folder with 'store', 'external' or 'internal': folders of \
      packs, or reports such as 'store.json'.
      """)

  /// The path of each channel, in the order of ``Channel``; empty for other old packs.
  let paths: [(channel: Channel, path: String)]

  /// Finds the channels at a path.
  init(at path: String) {
    var found: [Channel: String] = [:]
    var hasOthers = false
    if let listing = try? FileDescriptor.open(path, for: .directory).list() {
      for item in listing.items {
        let name = listing.fileName(of: item)
        let place = FilePath(path).appending(name)
        guard name.bytes.first != UInt8(ascii: "."),
          place.hasSuffix(".json") || place.hasSuffix(".aar")
            || (try? FileStatus(ofFileAt: place.text).kind) == .directory
        else { continue }
        let word = FilePath(name.bytes).text
        let stem = word.hasSuffix(".json") ? String(word.dropLast(5)) : word
        if let channel = Channel(rawValue: stem) {
          found[channel] = place.text
        } else {
          hasOthers = true
        }
      }
    }
    paths =
      hasOthers
      ? [] : Channel.allCases.compactMap { channel in found[channel].map { (channel, $0) } }
  }

  /// Returns the path of a channel.
  static func path(of channel: Channel, at path: String) throws(PackError) -> String {
    let paths = BaselineChannels(at: path).paths
    guard let found = paths.first(where: { $0.channel == channel }) else {
      throw PackError(
        .missing, "'\(path)' has no packs of the channel '\(channel.rawValue)'",
        remedy: .advice(
          paths.isEmpty
            ? "add a folder or a report of this name"
            : "the channels are \(paths.map(\.channel.rawValue).joined(separator: ", "))"))
    }
    return found.path
  }
}
