/// The reason why a file that is kept between runs cannot be used.
///
/// The file is left unchanged.
package enum StateFault: Error, Sendable, Equatable {
  /// The contents are wrong, for this reason.
  case damaged(String)
  /// A newer version of the program wrote the file, in this format.
  case newer(format: Int)
  /// The file has more bytes than a file of its kind may have.
  case tooLarge
  /// The path names a folder, a link, a pipe or a device.
  case notAFile
}

/// A file that is kept between runs and that cannot be used.
package struct StateFailure: Sendable, Equatable {
  package let fault: StateFault
  /// The kind of file.
  package let noun: String
  /// The consequence if the user moves the file away.
  package let loss: String

  init(_ fault: StateFault, noun: String, loss: String) {
    self.fault = fault
    self.noun = noun
    self.loss = loss
  }

  /// The reason, without the name of the file.
  package var reason: String {
    switch fault {
    case .damaged(let reason): "the \(noun) is damaged: \(reason)"
    case .newer(let format):
      "a newer version of this program wrote the \(noun), in format \(format)"
    case .tooLarge: "it is too large for a \(noun)"
    case .notAFile: "it is not a regular file"
    }
  }
}
