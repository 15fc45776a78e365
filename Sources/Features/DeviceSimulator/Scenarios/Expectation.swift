package import BAPackKit

/// An expectation of the state of a device and its app.
package struct Expectation: Sendable, Equatable {
  /// The subject of an expectation.
  package enum Subject: Sendable, Equatable {
    /// Whether the app is installed.
    case appInstalled
    /// Whether the last update of the app succeeded.
    case appUpdated
    /// Packs that are on the device.
    case downloaded([PackID])
    /// Packs that the previous step replaced with a newer version.
    case updated([PackID])
    /// Packs that the previous step removed.
    case removed([PackID])
    /// Packs on the device that the manifest no longer contains.
    case obsolete([PackID])
    /// Packs whose download failed in the previous step.
    case failed([PackID])
    case readable(Search)
    case missing(Search)
    case ambiguous(Search)
    /// A pack that is not on the device, or a path that no pack on the device has.
    case absent(String)
    /// The language that applies; nil for none.
    case language(LanguageTag?)
    /// The download before the app could open.
    case essential
    /// The background download of an installation.
    case prefetch
    /// The download of the previous step.
    case cost
    /// The space that all packs on the device take.
    case disk

    /// Whether the subject is the app itself.
    var isOfApp: Bool { self == .appInstalled || self == .appUpdated }

    /// The search of the subject; nil if the subject is not a search.
    var search: Search? {
      switch self {
      case .readable(let search), .missing(let search), .ambiguous(let search): search
      case .absent(let text): Search(path: text)
      case .appInstalled, .appUpdated, .downloaded, .updated, .removed, .obsolete, .failed,
        .language, .essential, .prefetch, .cost, .disk:
        nil
      }
    }
  }

  /// A path, and the place of the search.
  package struct Search: Sendable, Equatable {
    package var path: String
    package var id: PackID?
    package var language: LanguageTag?
  }

  package let subject: Subject
  /// Whether the expectation is negated.
  package let isNegated: Bool
  /// The limit for a size; for packs, the limit for their total download.
  package let bound: Bound?

  package init(_ subject: Subject, isNegated: Bool = false, bound: Bound? = nil) {
    self.subject = subject
    self.isNegated = isNegated
    self.bound = bound
  }

  /// A limit for a size.
  package struct Bound: Sendable, Equatable {
    package enum Relation: String, Sendable, CaseIterable {
      case atMost = "<="
      case atLeast = ">="
      case less = "<"
      case more = ">"
      case equal = "="
    }

    package var relation: Relation
    package var size: UInt64

    package init(_ relation: Relation, _ size: UInt64) {
      self.relation = relation
      self.size = size
    }

    /// Whether a size is within the limit.
    package func holds(for other: UInt64) -> Bool {
      switch relation {
      case .atMost: other <= size
      case .atLeast: other >= size
      case .less: other < size
      case .more: other > size
      case .equal: other == size
      }
    }
  }
}
