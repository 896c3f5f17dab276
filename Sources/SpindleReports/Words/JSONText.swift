/// Results as JSON, for other programs.
///
/// The order of the members never changes, and a run gives the same text each time. A member's name
/// ends with its unit; shares are from 0 to 1. The first member `format` grows when one is removed or
/// means something else.
package enum JSONText {}
