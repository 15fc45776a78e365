import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

@Suite struct PackErrorTests {
  @Test func `after the name of its file, an error has only its reason`() {
    let error = PackError(
      Failure(.malformed("it is torn"), "a \u{7}.aar", at: .init(fileOffset: 3)), while: .reading)
    #expect(error.kind == .malformed(offset: 3))
    #expect(error.message == #"cannot read 'a \x07.aar': it is torn (at byte 3 of the file)"#)
    #expect(error.phrase(after: "a \u{7}.aar") == "it is torn (at byte 3 of the file)")
    #expect(error.phrase(after: "b.aar") == error.message)
    let other = PackError(.missing, "'a.aar' has no 'x'")
    #expect(other.phrase(after: "a.aar") == other.message)
  }

  @Test func `errors with the same message are equal`() {
    let first = PackError(.malformed(offset: nil), reading: "a", "it is torn")
    #expect(first == PackError(.malformed(offset: nil), "cannot read 'a': it is torn"))
    #expect(first != PackError(.missing, "cannot read 'a': it is torn"))
  }

  @Test func `missing memory for a codec is an error of the system, not of the bytes`() {
    let error = PackError(Failure(.outOfMemory, "a.aar"), while: .reading)
    #expect(error.kind == .system(12))
    #expect(error.message == "cannot read 'a.aar': not enough memory for the codec")
    #expect(error.remedies == [.useFewerThreads])
  }

  @Test(arguments: [
    (["first.aar"], ["x"], PackError.Kind.missing), (["a.aar", "b.aar"], ["x"], .missing),
  ])
  func `a path that a pack does not contain is missing`(
    packs: [String], paths: [String], kind: PackError.Kind
  ) {
    #expect(PackError.missing(ChosenPaths(paths), in: packs).kind == kind)
  }

  @Test func `the kinds distinguish errors that a caller can handle`() throws {
    func kind(_ body: () throws -> Void) -> PackError.Kind? {
      #expect(throws: PackError.self, performing: body)?.kind
    }
    #expect(kind { _ = try ChecksumList(parsing: [], named: "list").digest(of: "a") } == .missing)
    let digests = (0..<2).map { String(repeating: "\($0)", count: 64) + "  \($0)/a\n" }.joined()
    let list = try ChecksumList(parsing: Array(digests.utf8), named: "list")
    #expect(kind { _ = try list.digest(of: "a") } == .ambiguous)
    #expect(
      kind { _ = try Extraction().export("a.aar", to: "a.txt", .unstoppable) } == .unsupported)
    #expect(PackError.notAnAssetPack("a", entries: 1).kind == .notAnAssetPack)
  }
}
