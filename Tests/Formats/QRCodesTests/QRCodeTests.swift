import QRCodes
import SystemIO
import TestSupport
import Testing

@Suite struct QRCodeTests {
  @Test func `three corners have finder patterns`() throws {
    let rows = try #require(try QRCode("http://192.168.1.10:8480")).rows
    #expect(rows.count == 25)
    #expect(rows.allSatisfy { $0.count == 25 })
    for (top, left) in [(0, 0), (0, 18), (18, 0)] {
      for (row, column) in (0..<7).flatMap({ row in (0..<7).map { (row, $0) } }) {
        let isOnRing = row == 0 || row == 6 || column == 0 || column == 6
        let isInside = (2...4).contains(row) && (2...4).contains(column)
        #expect(rows[top + row][left + column] == (isOnRing || isInside))
      }
    }
    #expect(try QRCode(String(repeating: "x", count: 5000)) == nil)
  }

  @Test func `a line for a terminal contains two rows, with a margin`() throws {
    let code = try #require(try QRCode("a"))
    let lines = code.lines()
    #expect(code.rows.count == 21)
    #expect(lines.count == (21 + 8 + 1) / 2)
    #expect(lines.allSatisfy { $0.count == 21 + 8 })
    // The margin is light, and light modules are drawn.
    #expect(lines[0] == String(repeating: "\u{2588}", count: 29))
    #expect(code.lines(drawingDark: true)[0] == String(repeating: " ", count: 29))
    #expect(
      code.lines(drawingDark: true)[2].dropFirst(4).prefix(7)
        == "\u{2588}\u{2580}\u{2580}\u{2580}\u{2580}\u{2580}\u{2588}")
  }

  @Test func `without libqrencode, the error has the name of the library`() throws {
    let failure = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.always(.load, 79)) { _ = try QRCode("a") }
    }
    #expect(failure?.path == "libqrencode.so.4")
    #expect(try QRCode("a") != nil)
  }

  @Test(.world) func `a scanner reads the text`() throws {
    let folder = try TemporaryFolder()
    // A code does not contain the encoding of its text, so test only ASCII.
    for text in ["http://192.168.1.10:8480", "http://[fe80::1]:65535/a?x=1&y=2"] {
      let rows = try #require(try QRCode(text)).rows
      // Eight pixels for each module, in the simplest image format.
      let scale = 8
      let width = (rows.count + 8) * scale
      var picture = "P1\n\(width) \(width)\n"
      for row in 0..<width {
        for column in 0..<width {
          let (y, x) = (row / scale - 4, column / scale - 4)
          let isDark = rows.indices.contains(y) && rows.indices.contains(x) && rows[y][x]
          picture += isDark ? "1" : "0"
        }
        picture += "\n"
      }
      try folder.makeFile("code.pbm", Array(picture.utf8))
      let read = try Peer.ask("zbarimg", ["--raw", "-q", folder.path("code.pbm")]).output
      #expect(read == text + "\n")
    }
  }
}
