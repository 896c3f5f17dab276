import CoreLocation
import Foundation

enum LocationError: Error, Equatable {
    case denied
    case unavailable
}

struct Place: Equatable, Sendable {
    let latitude: Double
    let longitude: Double
}

/// Asks for permission and for a place, with `async` in front of the delegate's callbacks.
@MainActor
final class LocationProvider: NSObject {
    private lazy var manager: CLLocationManager = {
        let manager = CLLocationManager()
        manager.delegate = self
        return manager
    }()
    private var permissionRequests: [CheckedContinuation<Bool, Never>] = []
    private var placeRequests: [CheckedContinuation<Place, any Error>] = []
    private var updates: AsyncStream<Place>.Continuation?
    private(set) var lastPlace: Place?

    /// Whether the user allows it; asks when the user has not been asked.
    func requestPermission() async -> Bool {
        switch manager.authorizationStatus {
        case .authorizedAlways, .authorizedWhenInUse:
            return true
        case .denied, .restricted:
            return false
        default:
            return await withCheckedContinuation { continuation in
                permissionRequests.append(continuation)
                if permissionRequests.count == 1 {
                    manager.requestWhenInUseAuthorization()
                }
            }
        }
    }

    /// One place; calls at the same time share the request.
    func currentPlace() async throws -> Place {
        guard await requestPermission() else {
            throw LocationError.denied
        }
        return try await withCheckedThrowingContinuation { continuation in
            placeRequests.append(continuation)
            if placeRequests.count == 1 {
                manager.requestLocation()
            }
        }
    }

    /// Places as they come, until the reader stops.
    func places() -> AsyncStream<Place> {
        updates?.finish()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            updates = continuation
            continuation.onTermination = { [weak self] _ in
                Task { @MainActor in
                    self?.manager.stopUpdatingLocation()
                }
            }
            manager.startUpdatingLocation()
        }
    }

    private func received(_ place: Place) {
        lastPlace = place
        if let updates {
            updates.yield(place)
        }
        let requests = placeRequests
        placeRequests = []
        for request in requests {
            request.resume(returning: place)
        }
    }

    private func failed() {
        let requests = placeRequests
        placeRequests = []
        for request in requests {
            request.resume(throwing: LocationError.unavailable)
        }
    }

    private func permissionChanged(to isAllowed: Bool) {
        let requests = permissionRequests
        permissionRequests = []
        for request in requests {
            request.resume(returning: isAllowed)
        }
    }
}

extension LocationProvider: CLLocationManagerDelegate {
    nonisolated func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
        guard let last = locations.last?.coordinate else { return }
        let place = Place(latitude: last.latitude, longitude: last.longitude)
        Task { @MainActor in
            received(place)
        }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        Task { @MainActor in
            failed()
        }
    }

    nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        let status = manager.authorizationStatus
        guard status != .notDetermined else { return }
        Task { @MainActor in
            permissionChanged(to: status == .authorizedWhenInUse || status == .authorizedAlways)
        }
    }
}
