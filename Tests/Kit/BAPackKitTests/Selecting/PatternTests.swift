@testable import BAPackKit
import SystemIO
import TestSupport
import Testing

@Suite struct PatternTests {
  private func matches(_ pattern: String, _ path: String) throws -> Bool {
    let parsed = try PathPattern(forFiles: pattern)
    return matches(parsed, path)
  }

  private func matches(_ pattern: PathPattern, _ path: String) -> Bool {
    var progress = pattern.start
    let names = path.split(separator: "/").map { Array($0.utf8)[...] }
    for name in names.dropLast() { progress = pattern.advance(progress, over: name) }
    return names.last.map { pattern.accepts(progress, $0) } ?? false
  }

  @Test(arguments: [
    ("*.wav", "a.wav", true), ("*.wav", "a.WAV", false), ("*.wav", "x/a.wav", false),
    ("?.txt", "a.txt", true), ("?.txt", "é.txt", true), ("?.txt", "ab.txt", false),
    ("*", ".hidden", false), (".*", ".hidden", true), ("?hidden", ".hidden", false),
    ("[.]hidden", ".hidden", false), ("\\.hidden", ".hidden", true), ("*.x", ".x", false),
    ("a*", "a.b", true), ("a*b*c", "a--b--c", true), ("a*b*c", "a--c--b", false),
    ("[a-c]1", "b1", true), ("[a-c]1", "d1", false), ("[!a-c]1", "d1", true),
    ("[!a-c]1", "a1", false), ("[]x]", "]", true), ("[!]]", "a", true), ("[a-]", "-", true),
    ("[\\]]", "]", true), ("[^a]", "^", true), ("[à-ü]", "é", true),
    ("\\*", "*", true), ("\\*", "a", false), ("a**b", "axxb", true), ("a**b", "a/b", false),
    ("**", "a", true), ("**", "a/b/c", true), ("**/c", "c", true), ("**/c", "a/b/c", true),
    ("a/**/c", "a/c", true), ("a/**/c", "a/x/y/c", true), ("a/**", "a/x/y", true),
    ("**/*.png", "x/.git/a.png", false), ("**/.git/*.png", "x/.git/a.png", true),
    ("**/**/a", "x/a", true), ("a/*/c", "a/b/c", true), ("a/*/c", "a/b/b/c", false),
    ("./a//b", "a/b", true), ("**/a/**/b/**", "x/a/y/b/z", true), ("*a", "ba\u{301}", false),
  ])
  func `patterns match as the manifest language specifies`(
    pattern: String, path: String, expected: Bool
  ) throws {
    #expect(try matches(pattern, path) == expected)
  }

  @Test(arguments: [
    ("*.tmp", "a/b/c.tmp", true), ("cache", "a/cache", true), ("a/cache", "b/a/cache", false),
    ("*", ".hidden", true), ("**/.x", "a/.x", true), ("a/*", "a/.x", true), ("a/**", "a", true),
    ("Audio/", "x/Audio", true),
  ])
  func `in exclusions a dot is ordinary, and a name alone matches at any depth`(
    pattern: String, path: String, expected: Bool
  ) throws {
    #expect(matches(try PathPattern(forExclusion: pattern), path) == expected)
  }

  @Test(arguments: [
    ("[a", PatternFault.unclosedClass), ("a/[", .unclosedClass), ("[]", .unclosedClass),
    ("[a/b]", .unclosedClass), ("[z-a]", .emptyRange), ("a\\", .endsInBackslash),
    ("[\\", .unclosedClass),
  ])
  func `a malformed pattern is reported with its fault`(pattern: String, fault: PatternFault) {
    #expect(throws: fault) { try PathPattern(forFiles: pattern) }
  }

  @Test func `expensive patterns take no longer than others`() throws {
    let stars = String(repeating: "*a", count: 100) + "*b"
    #expect(try matches(stars, String(repeating: "a", count: 10_000)) == false)
    let folders = String(repeating: "**/*/", count: 200) + "b"
    #expect(try matches(folders, String(repeating: "a/", count: 400) + "a") == false)
    #expect(try matches(folders, String(repeating: "a/", count: 400) + "b") == true)
    let questions = String(repeating: "*?", count: 300)
    #expect(try matches(questions, String(repeating: "é", count: 299)) == false)
  }

  @Test func `bytes that are not UTF-8 match wildcards only`() throws {
    let name: [UInt8] = [0x61, 0xFF, 0x62]
    for (text, expected) in [
      ("a?b", true), ("a*", true), ("a[!x]b", true), ("a[\u{80}-\u{10FFFF}]b", false),
    ] {
      let pattern = try NamePattern(parsing: FileName(text))
      #expect(pattern.matches(name[...], dotIsOrdinary: false) == expected, "\(text)")
    }
  }

  @Test func `any pattern agrees with a matcher that tries all possibilities`() throws {
    var random = Seeded(seed: 20_261_101)
    let parts = ["a", "b", ".", "*", "?", "[ab]", "[!a]", "/", "**/", "/**", "\\a", "é"]
    let letters = ["a", "b", ".", "é", "/", "ab"]
    var hits = 0
    for _ in 0..<20_000 {
      let pattern = (0...random.next(below: 7)).map { _ in parts[random.next(below: parts.count)] }
        .joined()
      let path = (0...random.next(below: 7)).map { _ in letters[random.next(below: letters.count)] }
        .joined()
      let names = path.split(separator: "/").map(String.init)
      guard !names.isEmpty, !names.contains("."), !names.contains("..") else { continue }
      for dotIsOrdinary in [false, true] {
        let parsed =
          dotIsOrdinary
          ? try PathPattern(forExclusion: pattern) : try PathPattern(forFiles: pattern)
        var components = pattern.split(separator: "/").filter { $0 != "." }.map(String.init)
        let isAnchored = pattern.hasPrefix("./")
        if dotIsOrdinary && components.count == 1 && !isAnchored {
          components.insert("**", at: 0)
        }
        let expected = naive(components[...], names[...], dotIsOrdinary)
        if expected { hits += 1 }
        #expect(matches(parsed, path) == expected, "'\(pattern)' on '\(path)'")
      }
    }
    #expect(hits > 1000)
  }

  private func naive(
    _ pattern: ArraySlice<String>, _ names: ArraySlice<String>, _ dotIsOrdinary: Bool
  ) -> Bool {
    guard let first = pattern.first else { return names.isEmpty }
    if first == "**" {
      if naive(pattern.dropFirst(), names, dotIsOrdinary) { return true }
      guard let name = names.first, dotIsOrdinary || !name.hasPrefix(".") else { return false }
      return naive(pattern, names.dropFirst(), dotIsOrdinary)
    }
    guard let name = names.first else { return false }
    if !dotIsOrdinary, name.hasPrefix("."), !first.hasPrefix("."), !first.hasPrefix("\\.") {
      return false
    }
    return naive(Array(first.unicodeScalars)[...], Array(name.unicodeScalars)[...])
      && naive(pattern.dropFirst(), names.dropFirst(), dotIsOrdinary)
  }

  private func naive(
    _ pattern: ArraySlice<Unicode.Scalar>, _ name: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    switch first {
    case "*":
      return naive(pattern.dropFirst(), name)
        || (!name.isEmpty && naive(pattern, name.dropFirst()))
    case "?": return !name.isEmpty && naive(pattern.dropFirst(), name.dropFirst())
    case "[":
      let negated = pattern.dropFirst().first == "!"
      let body = pattern.dropFirst(negated ? 2 : 1).prefix { $0 != "]" }
      guard let letter = name.first, body.contains(letter) != negated else { return false }
      return naive(pattern.dropFirst(body.count + (negated ? 3 : 2)), name.dropFirst())
    case "\\": return naive(pattern.dropFirst(), name, literally: true)
    default: return naive(pattern, name, literally: true)
    }
  }

  private func naive(
    _ pattern: ArraySlice<Unicode.Scalar>, _ name: ArraySlice<Unicode.Scalar>, literally: Bool
  ) -> Bool {
    !name.isEmpty && pattern.first == name.first && naive(pattern.dropFirst(), name.dropFirst())
  }
}
