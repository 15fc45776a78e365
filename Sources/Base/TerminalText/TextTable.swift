// Text in columns of a terminal, in which a wide character uses two.

/// The side of a column on which its cells are aligned.
package enum ColumnAlignment: Sendable {
  case left, right
}

extension String {
  /// Returns the text, padded with spaces to a number of columns; a wider text is unchanged.
  package func padded(to columns: Int, _ alignment: ColumnAlignment = .left) -> String {
    let spaces = String(repeating: " ", count: Swift.max(0, columns - ColumnCount(self).columns))
    return switch alignment {
    case .left: self + spaces
    case .right: spaces + self
    }
  }
}

/// Rows of cells whose columns are as wide as their widest cells.
package struct TextTable: Sendable {
  private let alignments: [ColumnAlignment]
  private let widest: Int
  private var rows: [[String]] = []

  /// Creates a table without rows.
  ///
  /// Columns without an alignment are aligned on the left. No column becomes wider than `widest`; a
  /// wider cell moves the rest of its row to the right.
  package init(_ alignments: [ColumnAlignment] = [], widest: Int = .max) {
    self.alignments = alignments
    self.widest = widest
  }

  /// Adds a row; cells are escaped for a terminal.
  package mutating func add(_ cells: String...) { rows.append(cells.map { shown($0) }) }

  /// The rows as lines, without spaces at their ends.
  package var lines: [String] {
    var widths = [Int](repeating: 0, count: rows.map(\.count).max() ?? 0)
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], min(widest, ColumnCount(cell).columns))
      }
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        cell.padded(
          to: widths[column], alignments.indices.contains(column) ? alignments[column] : .left)
      }.joined(separator: "  ").droppingTrailing(" ")
    }
  }
}
