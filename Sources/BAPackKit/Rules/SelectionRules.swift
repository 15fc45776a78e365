/// What the selection of files finds wrong, for `explain` and the reference.
///
/// Each rule is in a file of its own beside the selection and is listed here.
enum SelectionRules {
  static let all: [Rule] = []
}
