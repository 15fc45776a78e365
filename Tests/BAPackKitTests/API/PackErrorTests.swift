import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

@Suite struct PackErrorTests {
  @Test func `an error about a file says why behind the name of that file, and all behind others`()
  {
    let error = PackError(
      Failure(.malformed("it is torn"), "a \u{7}.aar", at: .init(fileOffset: 3)), while: .reading)
    #expect(error.kind == .malformed(offset: 3))
    #expect(error.message == #"cannot read 'a \x07.aar': it is torn (at byte 3 of the file)"#)
    #expect(error.phrase(behind: "a \u{7}.aar") == "it is torn (at byte 3 of the file)")
    #expect(error.phrase(behind: "b.aar") == error.message)
    let other = PackError(.missing, "'a.aar' has no 'x'")
    #expect(other.phrase(behind: "a.aar") == other.message)
  }

  @Test func `a message that is written anew is the one that is shown`() {
    let first = PackError(.malformed(offset: nil), reading: "a", "it is torn")
    #expect(first == PackError(.malformed(offset: nil), "cannot read 'a': it is torn"))
    #expect(first != PackError(.missing, "cannot read 'a': it is torn"))
  }

  @Test func `a codec without memory is the machine's refusal, and not a fault of the bytes`() {
    let error = PackError(Failure(.outOfMemory, "a.aar"), while: .reading)
    #expect(error.kind == .system(12))
    #expect(error.message == "cannot read 'a.aar': not enough memory for the codec")
    #expect(error.remedies == [.useFewerThreads])
  }

  @Test(arguments: [
    (["first.aar"], ["x"], PackError.Kind.missing), (["a.aar", "b.aar"], ["x"], .missing),
  ])
  func `what a pack does not have is missing`(
    packs: [String], paths: [String], kind: PackError.Kind
  ) {
    #expect(PackError.missing(paths, in: packs).kind == kind)
  }

  @Test func `kinds tell apart what a caller may react to`() throws {
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
