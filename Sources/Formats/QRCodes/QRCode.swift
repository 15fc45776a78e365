import CQREncode
package import SystemIO

/// A QR code (libqrencode).
package struct QRCode: Sendable, Equatable {
  /// The rows from top to bottom, where true is dark; they do not include the light margin.
  package let rows: [[Bool]]

  /// Creates the code of a text; nil if the text is too long.
  ///
  /// About 15 % of the code can be unreadable (level M). Throws if the library cannot be loaded.
  package init?(_ text: String) throws(Failure) {
    try Self.library.load()
    guard let code = unsafe QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
      return nil
    }
    defer { unsafe QRcode_free(code) }
    let width = Int(unsafe code.pointee.width)
    rows = (0..<width).map { row in
      (0..<width).map { column in unsafe code.pointee.data[row * width + column] & 1 == 1 }
    }
  }

  private static let library = unsafe OpenedLibrary("libqrencode.so.4") {
    unsafe ba_qrencode_fill($0)
  }

  /// The width of the light margin in modules, as scanners require it.
  package static let margin = 4

  /// The code for a terminal: each line shows two rows, with the margin.
  ///
  /// Light modules are drawn, because most terminals are dark; `isInverted` draws the dark modules.
  package func lines(drawingDark isInverted: Bool = false) -> [String] {
    let width = rows.count + 2 * Self.margin
    func isDrawn(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - Self.margin, column - Self.margin)
      // The last line has no second row if the number of rows is odd.
      guard row < rows.count + Self.margin else { return false }
      let isDark = rows.indices.contains(row) && rows.indices.contains(column) && rows[row][column]
      return isDark == isInverted
    }
    return stride(from: 0, to: width, by: 2).map { row in
      String(
        (0..<width).map { column in
          switch (isDrawn(row, column), isDrawn(row + 1, column)) {
          case (true, true): "\u{2588}"
          case (true, false): "\u{2580}"
          case (false, true): "\u{2584}"
          case (false, false): " "
          }
        })
    }
  }
}
