import Foundation
import SpindleGenerator
import SpindleRecordings
import TestSupport
import Testing

@testable import SpindleFuzzer

/// Damaged recordings: of both kinds, the same for a seed.
@Suite struct RecordingDamageTests {
  private static func samples() throws -> [[UInt8]] {
    let folder = Repository.root + "/Tests/Recordings"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")))
    }
  }

  @Test func samplesAreSmallAndAreRead() throws {
    let samples = try Self.samples()
    #expect(samples.count >= 6)
    for sample in samples {
      #expect(sample.count < 20_480)
      let bytes = RecordingInMemory(sample)
      if try ExportedTrace.text(bytes, recording: "f") == nil { _ = try RecordingSurvey(bytes) }
    }
  }

  /// Inputs that are all refused, or all read, would try half of the readers.
  @Test func inputsAreOfBothKinds() throws {
    let samples = try Self.samples()
    var (read, changed) = (0, 0)
    for seed in 1...200 {
      var (one, other) = (Randomness(seed: seed), Randomness(seed: seed))
      let sample = one.pick(samples)
      let bytes = RecordingDamage.damaged(sample, &one)
      #expect(RecordingDamage.damaged(other.pick(samples), &other) == bytes)
      if bytes != sample { changed += 1 }
      do {
        let recording = RecordingInMemory(bytes)
        if try ExportedTrace.text(recording, recording: "f") == nil {
          _ = try RecordingSurvey(recording)
        }
        read += 1
      } catch let mistake as RecordingMistake {
        #expect(!mistake.reason.isEmpty)
      }
    }
    #expect(changed > 150)
    #expect((50...190).contains(read))
  }
}
