import Foundation

enum JobPriority: Int, Comparable, CaseIterable {
    case low
    case normal
    case high

    static func < (a: JobPriority, b: JobPriority) -> Bool {
        a.rawValue < b.rawValue
    }

    var queuePriority: Operation.QueuePriority {
        switch self {
        case .low: return .low
        case .normal: return .normal
        case .high: return .veryHigh
        }
    }

    var qualityOfService: QualityOfService {
        switch self {
        case .low: return .background
        case .normal: return .utility
        case .high: return .userInitiated
        }
    }
}

/// A piece of work by its name; jobs of one category never run at the same time.
struct Job {
    let name: String
    var priority = JobPriority.normal
    var category: String?
    var prerequisites: [String] = []
    var attempts = 1
    let run: () throws -> Void
}

enum JobState: Equatable {
    case waiting
    case running(attempt: Int)
    case done
    case failed
    case cancelled

    var isFinal: Bool {
        switch self {
        case .waiting, .running: return false
        case .done, .failed, .cancelled: return true
        }
    }
}

protocol JobSchedulerDelegate: AnyObject {
    func scheduler(_ scheduler: JobScheduler, job name: String, didChangeTo state: JobState)
}

/// Runs jobs by priority, behind their prerequisites, a few at a time.
final class JobScheduler {
    weak var delegate: JobSchedulerDelegate?

    private let queue = OperationQueue()
    private let lock = NSLock()
    private var operations: [String: Operation] = [:]
    private var lastOfCategory: [String: Operation] = [:]
    private var states: [String: JobState] = [:]

    init(width: Int = 2) {
        queue.name = "com.example.jobs"
        queue.maxConcurrentOperationCount = width
    }

    func state(of name: String) -> JobState? {
        lock.lock()
        defer { lock.unlock() }
        return states[name]
    }

    var unfinishedCount: Int {
        lock.lock()
        defer { lock.unlock() }
        return states.values.filter { !$0.isFinal }.count
    }

    func schedule(_ job: Job) {
        let operation = BlockOperation()
        operation.name = job.name
        operation.queuePriority = job.priority.queuePriority
        operation.qualityOfService = job.priority.qualityOfService
        operation.addExecutionBlock { [weak self, unowned operation] in
            self?.perform(job, operation)
        }
        operation.completionBlock = { [weak self, unowned operation] in
            if operation.isCancelled {
                self?.update(job.name, to: .cancelled)
            }
        }
        lock.lock()
        for name in job.prerequisites {
            if let earlier = operations[name] {
                operation.addDependency(earlier)
            }
        }
        if let category = job.category {
            if let last = lastOfCategory[category], !last.isFinished {
                operation.addDependency(last)
            }
            lastOfCategory[category] = operation
        }
        operations[job.name] = operation
        states[job.name] = .waiting
        lock.unlock()
        queue.addOperation(operation)
    }

    func schedule(_ jobs: [Job]) {
        let wasSuspended = queue.isSuspended
        queue.isSuspended = true
        jobs.forEach { schedule($0) }
        queue.isSuspended = wasSuspended
    }

    func cancel(_ name: String) {
        lock.lock()
        let operation = operations[name]
        lock.unlock()
        operation?.cancel()
    }

    /// Calls `action` on the main queue when all that is scheduled now has ended.
    func whenIdle(_ action: @escaping () -> Void) {
        queue.addBarrierBlock {
            DispatchQueue.main.async(execute: action)
        }
    }

    private func perform(_ job: Job, _ operation: Operation) {
        for attempt in 1...job.attempts where !operation.isCancelled {
            update(job.name, to: .running(attempt: attempt))
            do {
                try job.run()
                update(job.name, to: .done)
                return
            } catch {
                if attempt == job.attempts {
                    update(job.name, to: .failed)
                }
            }
        }
    }

    private func update(_ name: String, to state: JobState) {
        lock.lock()
        if states[name] == state || states[name]?.isFinal == true {
            lock.unlock()
            return
        }
        states[name] = state
        lock.unlock()
        delegate?.scheduler(self, job: name, didChangeTo: state)
    }
}
