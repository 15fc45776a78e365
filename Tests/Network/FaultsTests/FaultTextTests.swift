import Faults
import Foundation
import SystemIO
import TestSupport
import Testing

/// The text of a fault: parsing, printing and errors.
@Suite struct FaultTextTests {
  private func download(_ text: String) throws -> DownloadFault { try DownloadFault(parsing: text) }

  private func request(_ text: String) throws -> ServiceFault { try ServiceFault(parsing: text) }

  @Test(arguments: [
    ("level-*: cut 60%", "level-*", DownloadEffect.cut(.percent(60)), FaultTurns.always),
    ("*:cut 1M", "*", .cut(.bytes(1 << 20)), .always),
    ("a: reset 1500", "a", .reset(.bytes(1500)), .always),
    ("a: cut 0", "a", .cut(.bytes(0)), .always),
    ("a: reset 1k", "a", .reset(.bytes(1024)), .always),
    ("a : status 503 twice", "a", .status(503), .first(2)),
    ("a: status 404 once", "a", .status(404), .first(1)),
    ("a: status 503 5s call 3", "a", .status(503, retryAfter: 5), .calls(3...3)),
    ("a: stall 10s 5 times", "a", .stall(.seconds(10)), .first(5)),
    ("a: stall 500ms", "a", .stall(.milliseconds(500)), .always),
    ("a: stall 5802s calls 2-4", "a", .stall(.seconds(5802)), .calls(2...4)),
    ("a: truncate", "a", .truncate, .always), ("a: corrupt once", "a", .corrupt, .first(1)),
    ("manifest: stale", "manifest", .stale, .always),
    ("manifest: not-json", "manifest", .notJSON, .always),
    ("manifest: tls-close", "manifest", .tlsClose, .always),
    ("a:b: corrupt", "a:b", .corrupt, .always),
  ])
  func `a fault of downloads is parsed and printed without changes`(
    text: String, subject: String, effect: DownloadEffect, turns: FaultTurns
  ) throws {
    let fault = try download(text)
    #expect(fault.subject.description == subject)
    #expect(fault.effect == effect && fault.turns == turns)
    #expect(try download(fault.description) == fault)
  }

  @Test(arguments: [
    ("POST /v1/a:b: drop once", "POST /v1/a:b", ServiceEffect.drop, FaultTurns.first(1)),
    ("* *: too-many", "* *", .tooMany(.none), .always),
    ("* *: too-many 2m call 1", "* *", .tooMany(.seconds(120)), .calls(1...1)),
    ("* *: too-many date", "* *", .tooMany(.date), .always),
    ("GET *: too-many past 3 times", "GET *", .tooMany(.past), .first(3)),
    ("GET *: slow 1500ms", "GET *", .slow(.milliseconds(1500)), .always),
    ("PUT /upload/*: storage SlowDown", "PUT /upload/*", .storage(.slowDown), .always),
    ("GET *: operations gap", "GET *", .distorted(.operations(.gap)), .always),
    ("GET *: failed calls 1-2", "GET *", .distorted(.failed(hasReason: true)), .calls(1...2)),
  ])
  func `a fault of App Store Connect is parsed and printed without changes`(
    text: String, subject: String, effect: ServiceEffect, turns: FaultTurns
  ) throws {
    let fault = try request(text)
    #expect(fault.subject.description == subject)
    #expect(fault.effect == effect && fault.turns == turns)
    #expect(try request(fault.description) == fault)
  }

  /// Texts of earlier versions, each with its printed form if that differs.
  @Test(arguments: [("downloads.txt", FaultScope.downloads), ("service.txt", FaultScope.service)])
  func `each text of earlier versions is parsed, and printed as before`(
    name: String, scope: FaultScope
  ) throws {
    func printed<Effect: FaultEffect>(_ text: String, as _: Effect.Type) throws -> String {
      let fault = try Fault<Effect>(parsing: text)
      #expect(try Fault<Effect>(parsing: fault.description) == fault)
      return fault.description
    }
    let lines = try String(
      contentsOf: Checkout.file("Tests/Corpus/faults/\(name)"), encoding: .utf8
    ).split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines {
      let parts = line.split(separator: "\t").map(String.init)
      let text =
        scope == .downloads
        ? try printed(parts[0], as: DownloadEffect.self)
        : try printed(parts[0], as: ServiceEffect.self)
      #expect(text == parts.last)
    }
  }

  @Test(arguments: [
    ("cut 60%", "expected '<packs>: <fault>', for example 'level-*: cut 60%'"),
    (": cut 1%", "the subject before ':' is missing"),
    ("a:", "the fault after ':' is missing; a fault is one of 'cut 60%', 'cut 1M', 'reset 1M'"),
    ("a: once", "the fault after ':' is missing"),
    ("a: cutt 1M", "unknown fault 'cutt'; a fault is one of"),
    ("a: drop", "unknown fault 'drop'"),
    ("a: cut", "'cut' requires a value, for example 'cut 60%'"),
    ("a: cut 1M 2M", "unexpected '2M'; only a limit such as 'once' can follow the fault"),
    ("a: cut 101%", "'101%' is not a percentage"), ("a: cut +5%x", "'+5%x' is not an amount"),
    ("a: cut 1X", "'1X' is not an amount"), ("a: cut -1", "'-1' is not an amount"),
    ("a[: corrupt", "'a[' is not a pattern"),
    ("a: status 200", "'200' is not an error status"),
    ("a: status 503 500ms", "'500ms' is not a number of seconds"),
    ("a: stall 10", "'10' is not a duration"),
    ("a: truncate 1", "unexpected '1'; only a limit such as 'once' can follow the fault"),
    ("a: corrupt x times", "expected a positive number, for example '5 times'"),
    ("a: corrupt 0 times", "expected a positive number"),
    ("a: corrupt call 0", "expected a positive number, for example 'call 3'"),
    ("a: corrupt calls 3-2", "expected the first and the last call"),
    ("a: stale", "to the manifest only"), ("level-*: not-json", "'manifest: not-json'"),
    (String(repeating: "a", count: 5000) + ": corrupt", "at most 4096 bytes"),
  ])
  func `the error of an invalid fault of downloads describes the valid form`(
    text: String, reason: String
  ) throws {
    let mistake = #expect(throws: FaultMistake.self) { try download(text) }
    #expect(mistake?.reason.contains(reason) == true, "\(mistake?.reason ?? "")")
  }

  @Test(arguments: [
    ("", "expected '<method> <path>: <fault>'"), ("drop", "expected '<method> <path>: <fault>'"),
    ("GET /v1/apps drop", "expected '<method> <path>: <fault>'"),
    ("GET: drop", "expected '<method> <path>: <fault>'"),
    ("GET /v1 x: drop", "expected '<method> <path>: <fault>'"),
    ("FETCH /v1: drop", "unknown method 'FETCH'; expected one of '*', 'GET'"),
    ("GET v1: drop", "'v1' is not a pattern for paths"),
    ("GET /v1/[: drop", "'/v1/[' is not a pattern for paths"),
    ("GET /v1: ", "the fault after ':' is missing; a fault is one of"),
    ("GET /v1: nothing", "unknown fault 'nothing'"), ("GET /v1: cut 60%", "unknown fault 'cut'"),
    ("GET /v1: drop 5", "unexpected '5'"), ("GET /v1: status 200", "'200' is not an error status"),
    ("GET /v1: status", "'status' requires a value"), ("GET /v1: reset x", "'x' is not an amount"),
    ("GET /v1: slow 5", "'5' is not a duration"),
    ("GET /v1: too-many 5", "'5' is not a number of seconds"),
    ("GET /v1: operations x", "'x' is not one of 'gap', 'overlap'"),
    ("GET /v1: drop 0 times", "expected a positive number"),
    ("GET /v1: drop call x", "expected a positive number"),
    ("GET /v1: drop calls 3-2", "expected the first and the last call"),
    ("GET /v1: drop calls 3", "expected the first and the last call"),
    ("GET /v1: status 503 x y", "'x' is not a number of seconds"),
    ("GET /v1: status 503 5", "'5' is not a number of seconds"),
    ("PUT *: storage Nothing", "'Nothing' is not one of 'RequestTimeout'"),
    ("PUT *: storage", "'storage' requires a value"), ("PUT *: corrupt 1", "unexpected '1'"),
  ])
  func `the error of an invalid fault of App Store Connect describes the valid form`(
    text: String, reason: String
  ) throws {
    let mistake = #expect(throws: FaultMistake.self) { try request(text) }
    #expect(mistake?.reason.contains(reason) == true, "\(mistake?.reason ?? "")")
  }

  @Test(arguments: [
    ("levle-*: cut 60%, tiny: corrupt", 16, ["levle-*: cut 60%", "tiny: corrupt"]),
    ("a: corrupt once;b: truncate", 15, ["a: corrupt once", "b: truncate"]),
    ("ü: stale\nb: cut 1M, c: reset 1k", 8, ["ü: stale", "b: cut 1M", "c: reset 1k"]),
    ("a: status 503,b: exploode", 13, ["a: status 503", "b: exploode"]),
    ("a:b: cut 60%, c: corrupt", 12, ["a:b: cut 60%", "c: corrupt"]),
  ])
  func `several faults in one text are an error at the start of the second fault`(
    text: String, place: Int, parts: [String]
  ) throws {
    let mistake = #expect(throws: FaultMistake.self) { try download(text) }
    #expect(mistake?.reason.contains("expected one fault") == true)
    #expect(mistake?.place == place..<place + 1)
    #expect(mistake?.parts == parts)
    let requests = #expect(throws: FaultMistake.self) {
      try request("GET /a: drop, PUT *: corrupt")
    }
    #expect(requests?.parts == ["GET /a: drop", "PUT *: corrupt"])
  }

  @Test func `an ID with a comma or a colon is a valid subject`() throws {
    for id in ["a,b", "a: b, c", "a;b:c"] {
      #expect(try download("\(id): corrupt").subject.description == id)
    }
  }

  @Test func `a misspelled subject is compared with the IDs of existing packs`() throws {
    let ids = ["level-abyss", "tiny", "music"]
    #expect(try download("levle-*: corrupt").nearestSubject(among: ids) == "level-*")
    #expect(try download("tinny: corrupt").nearestSubject(among: ids) == "tiny")
    #expect(try download("manfest: corrupt").nearestSubject(among: ids) == "manifest")
    #expect(try download("zebra: corrupt").nearestSubject(among: ids) == nil)
  }

  @Test(arguments: [
    ("*", "anything", true), ("*", "", true), ("level-*", "level-cave", true),
    ("level-*", "level", false), ("*-*", "a-b", true), ("*cave", "level-cave", true),
    ("*cave", "level-caves", false), ("l*l*e", "level-cave", true), ("a*b*c", "abxbxc", true),
    ("a*b*c", "abxbx", false), ("a", "a", true), ("a", "A", false), ("**a", "ba", true),
    ("level-[12]", "level-2", true), ("?b", "ab", true), ("*", ".a", true),
  ])
  func `a subject is a pattern like those for file names`(
    pattern: String, id: String, matches: Bool
  ) throws {
    #expect(try download("\(pattern): corrupt").applies(to: .pack(id)) == matches)
  }

  @Test func `a fault that only the manifest can have applies to no pack`() throws {
    #expect(try download("manifest: stale").applies(to: .manifest))
    #expect(try !download("manifest: stale").applies(to: .pack("manifest")))
    #expect(try download("manifest: corrupt").applies(to: .pack("manifest")))
    #expect(try download("manifest: corrupt").applies(to: .manifest))
    #expect(try !download("*: corrupt").applies(to: .manifest))
  }

  @Test(arguments: [
    ("* *", "GET", "/v1/apps", true), ("GET /v1/apps", "GET", "/v1/apps", true),
    ("GET /v1/apps", "POST", "/v1/apps", false), ("GET /v1/apps", "GET", "/v1/apps/1", false),
    ("* /v1/*", "PATCH", "/v1/a/b", true), ("PUT /upload/*", "PUT", "/v1/upload/1", false),
  ])
  func `a fault of a service applies to a method and to the paths that match`(
    subject: String, method: String, path: String, applies: Bool
  ) throws {
    let fault = try request("\(subject): drop")
    #expect(fault.applies(to: .init(method, Array(path.utf8))) == applies)
  }

  @Test func `an amount is at most the size of the body`() {
    #expect(FaultAmount.percent(60).bytes(of: 1000) == 600)
    #expect(FaultAmount.percent(33).bytes(of: 10) == 3)
    #expect(FaultAmount.percent(100).bytes(of: 7) == 7)
    #expect(FaultAmount.percent(0).bytes(of: 7) == 0)
    #expect(FaultAmount.bytes(10).bytes(of: 7) == 7)
  }

  @Test func `each kind of the table reads its examples and prints them`() throws {
    for kind in FaultKind.all {
      #expect(!kind.routes.isEmpty && !kind.meaning.isEmpty && !kind.examples.isEmpty)
      for scope in [FaultScope.downloads, .service] {
        let isIncluded = !kind.routes.isDisjoint(with: scope.routes)
        #expect(scope.kinds.contains { $0.name == kind.name } == isIncluded)
        guard isIncluded else { continue }
        let subject = scope == .service ? "PATCH /v1/*" : "manifest"
        for example in kind.examples {
          #expect(example == kind.name || example.hasPrefix(kind.name + " "))
          #expect(scope.examples(of: kind).contains { $0.hasSuffix(example) })
          for turns in ["", " once", " twice", " 9 times", " call 4", " calls 2-3"] {
            let text = "\(subject): \(example)\(turns)"
            let fault =
              scope == .downloads
              ? try download(text).description : try request(text).description
            #expect(fault == text)
          }
        }
      }
    }
    #expect(Set(FaultKind.all.map(\.name)).count == FaultKind.all.count)
  }

  @Test func `each kind of the table applies only at its routes`() throws {
    for kind in FaultKind.all where !kind.routes.isDisjoint(with: FaultScope.downloads.routes) {
      let fault = try download("manifest: \(kind.examples[0])")
      #expect(fault.applies(to: .manifest) == kind.routes.contains(.manifest))
      #expect(fault.applies(to: .pack("manifest")) == kind.routes.contains(.pack))
    }
  }
}
