import CQREncode

/// A QR code: a square that a camera reads a text from (libqrencode).
package struct QRCode: Sendable, Equatable {
  /// The rows from top to bottom, where true is dark, without the light margin that a reader needs.
  package let rows: [[Bool]]

  /// Makes the code of a text; nil if the text is too long.
  ///
  /// An eighth of it may be hidden, which is the usual choice for a screen.
  package init?(_ text: String) {
    guard let code = unsafe QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
      return nil
    }
    defer { unsafe QRcode_free(code) }
    let width = Int(unsafe code.pointee.width)
    rows = (0..<width).map { row in
      (0..<width).map { column in unsafe code.pointee.data[row * width + column] & 1 == 1 }
    }
  }

  /// How many squares of light a reader needs on each side.
  package static let margin = 4

  /// The code for a terminal: each line shows two rows, and has the margin around it.
  ///
  /// Light is drawn, and dark left out, unless `isInverted`: most terminals are dark.
  package func lines(drawingDark isInverted: Bool = false) -> [String] {
    let width = rows.count + 2 * Self.margin
    func isDrawn(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - Self.margin, column - Self.margin)
      // Below the last row of an odd number there is nothing to draw.
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
