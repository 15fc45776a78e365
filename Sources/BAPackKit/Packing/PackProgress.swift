/// How far packing has come.
package struct PackProgress: Sendable, Equatable {
  /// The index in the plan's selection of the entry being packed; the entry count at the end.
  package var entry: Int
  /// How many bytes of the files have been read.
  package var bytes: UInt64
  /// The total size of the files.
  package var totalBytes: UInt64
}
