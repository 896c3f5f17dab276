import Foundation

guard let options = FuzzOptions(Array(CommandLine.arguments.dropFirst())) else {
  FileHandle.standardError.write(Data(FuzzOptions.usage.utf8))
  exit(64)
}
switch options.mode {
case .file(let path):
  Batch(options).judge(try String(contentsOfFile: path, encoding: .utf8))
case .batch where options.damagesPrograms:
  ProgramBatch(options, try Corpus.texts(in: options.corpus)).run()
case .batch where options.damagesRecordings:
  let folder = options.corpus == "Traces" ? "Tests/Recordings" : options.corpus
  try RecordingBatch(options, folder: folder).run()
case .batch:
  Batch(options).run(try Corpus(folder: options.corpus))
case .show:
  let corpus = try Corpus(folder: options.corpus)
  print(options.text(of: options.seeds.lowerBound, corpus), terminator: "")
case .swift(let kind):
  try ComparedPrograms(kind: kind, seeds: options.seeds, folder: options.kept).write()
case .campaign:
  let campaign = Campaign(options, try Corpus(folder: options.corpus))
  exit(try campaign.run() ? 0 : 1)
}
