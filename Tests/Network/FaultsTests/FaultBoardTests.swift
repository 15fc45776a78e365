import Faults
import Testing

/// The selection of the fault that happens to a request, and the counts.
@Suite struct FaultBoardTests {
  private func downloads(_ faults: String...) throws -> FaultBoard<DownloadEffect> {
    FaultBoard(try faults.map { try DownloadFault(parsing: $0) })
  }

  private func service(_ faults: String...) throws -> FaultBoard<ServiceEffect> {
    FaultBoard(try faults.map { try ServiceFault(parsing: $0) })
  }

  private let post = ServiceFault.Target("POST", Array("/v1/apps".utf8))

  /// Returns the texts of the faults at the next calls; nil represents no fault.
  private func strikes(
    _ board: inout FaultBoard<DownloadEffect>, _ count: Int, _ target: DownloadFault.Target,
    by caller: String = "a", bodyOf size: UInt64? = nil
  ) -> [String?] {
    (0..<count).map { _ in
      board.strike(target, by: caller, bodyOf: size)?.description
    }
  }

  /// Expects these faults at the next calls.
  private func expect(
    _ expected: [String?], _ board: inout FaultBoard<DownloadEffect>,
    _ target: DownloadFault.Target,
    by caller: String = "a", bodyOf size: UInt64? = nil, at place: SourceLocation = #_sourceLocation
  ) {
    let found = strikes(&board, expected.count, target, by: caller, bodyOf: size)
    #expect(found == expected, sourceLocation: place)
  }

  @Test func `'once' and 'twice' count for each caller and pack`() throws {
    var board = try downloads("*: corrupt twice", "b: truncate")
    let corrupt = "*: corrupt twice"
    expect([corrupt, corrupt, nil], &board, .pack("a"))
    expect([corrupt, corrupt, "b: truncate"], &board, .pack("b"))
    expect([corrupt, corrupt, nil], &board, .pack("a"), by: "other")
    #expect(board.strikeCounts.map(\.count) == [6, 1])
    #expect(board.strikes(on: .pack("a")) == 4 && board.strikes(on: .pack("b")) == 3)
  }

  @Test
  func
    `a download that an earlier fault changed does not count for a later fault`()
    throws
  {
    var board = try downloads("*: corrupt once", "*: truncate once")
    expect(["*: corrupt once", "*: truncate once", nil], &board, .pack("a"))
  }

  @Test func `a service counts the calls of all clients, and each fault counts all its calls`()
    throws
  {
    var board = try service(
      "POST *: drop once", "* *: unauthorized twice", "POST *: slow 2s call 4")
    let found = ["a", "a", "other", "other", "other"].map {
      board.strike(post, by: $0)?.description
    }
    #expect(
      found == ["POST *: drop once", "* *: unauthorized twice", nil, "POST *: slow 2s call 4", nil])
    #expect(board.strikeCounts.map(\.count) == [1, 1, 1])
  }

  @Test
  func `'call' and 'calls' select calls of a caller and a pack, including those with other faults`()
    throws
  {
    var board = try downloads("a: corrupt once", "a: truncate calls 2-3", "a: tls-close call 5")
    expect(
      [
        "a: corrupt once", "a: truncate calls 2-3", "a: truncate calls 2-3", nil,
        "a: tls-close call 5", nil,
      ], &board, .pack("a"))
    expect(["a: corrupt once"], &board, .pack("a"), by: "other")
  }

  @Test func `a fault that does not change the body does not count`() throws {
    var board = try downloads("a: cut 1K once", "a: corrupt once")
    expect([nil, nil], &board, .pack("a"), bodyOf: 0)
    expect(["a: corrupt once", nil], &board, .pack("a"), bodyOf: 1024)
    expect(["a: cut 1K once", nil], &board, .pack("a"), bodyOf: 1025)
    board = try downloads("manifest: stale", "manifest: not-json")
    let fault = board.strike(.manifest, bodyOf: nil, except: .stale)
    #expect(fault?.effect == .notJSON)
    #expect(board.strikeCounts.map(\.count) == [0, 1])
  }

  @Test func `a fault that is added again restarts its count`() throws {
    var board = try downloads("a: corrupt once", "b: truncate")
    expect(["a: corrupt once", nil], &board, .pack("a"))
    let fault = try DownloadFault(parsing: "a:  corrupt once")
    let isAdded = board.add(fault)
    #expect(isAdded)
    #expect(board.all.map(\.description) == ["b: truncate", "a: corrupt once"])
    expect(["a: corrupt once", nil], &board, .pack("a"))
    let isRemoved = [board.remove(fault), board.remove(fault)]
    #expect(isRemoved == [true, false])
    board.removeAll()
    #expect(board == FaultBoard<DownloadEffect>())
  }

  @Test func `faults and counts are bounded`() throws {
    var board = FaultBoard<DownloadEffect>()
    let ids = (0..<FaultBoard<DownloadEffect>.capacity).map { "p\($0)" } + ["more", "p0"]
    let areAdded = try ids.map { try board.add(DownloadFault(parsing: "\($0): corrupt")) }
    #expect(
      areAdded.firstIndex(of: false) == FaultBoard<DownloadEffect>.capacity && areAdded.last == true
    )
    #expect(board.all.count == FaultBoard<DownloadEffect>.capacity)
    board = try downloads("*: corrupt once")
    for caller in 0...65_536 { _ = board.strike(.pack("a"), by: "\(caller)") }
    expect([nil], &board, .pack("a"), by: "65536")
    expect(["*: corrupt once"], &board, .pack("a"), by: "0")
    #expect(board.strikeCounts[0].count == 65_538)
  }
}
