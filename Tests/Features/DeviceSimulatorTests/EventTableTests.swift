import BAPackKit
import SourceDiagnostics
import Testing

@testable import DeviceSimulator

struct EventTableTests {
  /// Returns the members between the time and the rules.
  private static func members(_ kind: Event.Kind) -> String {
    switch kind {
    case .manifest: #"manifest {"release":"r","packs":2}"#
    case .manifestFailed: #"manifest-failed {"reason":"x"}"#
    case .language: #"language {"language":"es","wanted":"es-MX"}"#
    case .downloaded(let download):
      download.previous == nil
        ? #"downloaded {"pack":"a","version":2,"bytes":3,"cause":"app-update","#
          + #""policy":"prefetch","start":4,"end":5}"#
        : #"updated {"pack":"a","version":2,"previousVersion":1,"bytes":3,"cause":"update","#
          + #""policy":"essential","start":4,"end":5}"#
    case .failed:
      #"failed {"pack":"a","reason":"it needs 3 bytes (archive and unpacked files); 2 bytes free"}"#
    case .present: #"present {"pack":"a","version":2}"#
    case .olderOnServer: #"older-on-server {"pack":"a","version":3,"offeredVersion":2}"#
    case .removed: #"removed {"pack":"a","version":2,"reason":"by-app"}"#
    case .obsolete: #"obsolete {"pack":"a"}"#
    case .waiting: #"waiting {"packs":["a","b"],"bytes":3}"#
    case .appReady: "app-ready {}"
    case .appFailed: #"app-failed {"reason":"x"}"#
    case .launched: "launched {}"
    case .found(_, let result):
      switch result {
      case .readable: #"read {"path":"p","answer":"readable","packs":["a"]}"#
      case .ambiguous: #"read {"path":"p","answer":"ambiguous","packs":["a","b"]}"#
      case .missing: #"read {"path":"p","answer":"missing"}"#
      case .folder: #"read {"path":"p","answer":"folder","packs":["a"]}"#
      case .noPack: #"read {"path":"p","answer":"no-pack","packs":["a"]}"#
      case .notKnown: #"read {"path":"p","answer":"not-known","packs":["a"]}"#
      }
    case .status(_, _, let version, _):
      version == nil
        ? #"status {"pack":"a","status":[]}"#
        : #"status {"pack":"a","status":["upToDate","downloaded"],"version":2,"#
          + #""updates":["began","finished"]}"#
    case .polled: "polled {}"
    case .pollingEnded: "polling-ended {}"
    case .localLanguages: #"local-languages {"languages":["es","fr"]}"#
    case .disk(_, let free): free == nil ? #"disk {"used":3}"# : #"disk {"used":3,"free":4}"#
    case .ignored: #"ignored {"reason":"x"}"#
    case .noted: #"note {"reason":"x"}"#
    }
  }

  private static func download(_ previous: Int?) -> Event.Kind {
    .downloaded(
      Event.Download(
        id: "a", version: 2, previous: previous, size: 3,
        cause: previous == nil ? .appUpdate : .update, start: 4, end: 5,
        time: previous == nil ? .inBackground : .beforeLaunch))
  }

  private static let language = LanguageResolution(
    of: tags("es"), preferring: tags("es-MX"), primary: nil)

  private static func tags(_ texts: String...) -> [LanguageTag] {
    texts.compactMap { LanguageTag($0) }
  }

  private static let results: [Event.ReadResult] = [
    .readable(["a"], haveSameBytes: false), .ambiguous(["a", "b"]), .missing, .folder(["a"]),
    .noPack("a"), .notKnown(["a"]),
  ]

  private static let others: [Event.Kind] = [
    .manifest(release: "r", packs: 2), .manifestFailed("x"), .language(language), download(nil),
    download(1), .failed("a", .noRoom(needed: 3, left: 2, includesFiles: true)),
    .present("a", version: 2),
    .olderOnServer("a", version: 2, own: 3), .removed("a", version: 2, .byApp), .obsolete("a"),
    .waiting(["a", "b"], 3), .appReady, .appFailed("x"), .launched,
    .status("a", [.upToDate, .downloaded], version: 2, updates: [.began, .finished]),
    .status("a", [], version: nil, updates: []), .polled,
    .pollingEnded, .localLanguages(tags("es", "fr")), .disk(used: 3, free: 4),
    .disk(used: 3, free: nil), .ignored("x"), .noted("x"),
  ]

  private static let kinds = others + results.map { Event.Kind.found(path: "p", $0) }

  @Test(arguments: kinds)
  func `each kind of event has a name, a time, its members and its rules`(_ kind: Event.Kind) {
    let event = Event(kind: kind, time: 6, rules: [.policyEssential])
    let parts = Self.members(kind).split(separator: " ", maxSplits: 1)
    let own = parts[1] == "{}" ? "" : parts[1].dropFirst().dropLast() + ","
    let text = String(decoding: Event.table.bytes(of: event, .compact), as: UTF8.self)
    #expect(
      text == #"{"event":"\#(parts[0])","time":6,\#(own)"rules":["policy-essential"]}"#)
  }

  @Test func `the table has no other kinds of event`() {
    let words = Event.table.record.choices.joined().compactMap { choice -> String? in
      if case .word(let words) = choice.keys[0].shape { words[0] } else { nil }
    }
    let names = Self.kinds.map { Self.members($0).split(separator: " ")[0] }
    #expect(Set(words) == Set(names.map { String($0) }))
  }
}
