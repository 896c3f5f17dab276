import CoreLocation
import Foundation

/// Keeps one continuation: a second call takes the place of the first, which is never resumed.
@MainActor
final class SingleLocationProvider: NSObject, CLLocationManagerDelegate {
    private lazy var manager: CLLocationManager = {
        let manager = CLLocationManager()
        manager.delegate = self
        return manager
    }()
    private var request: CheckedContinuation<Place, any Error>?

    func currentPlace() async throws -> Place {
        try await withCheckedThrowingContinuation { continuation in
            request = continuation
            manager.requestLocation()
        }
    }

    nonisolated func locationManager(
        _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
        guard let last = locations.last?.coordinate else { return }
        let place = Place(latitude: last.latitude, longitude: last.longitude)
        Task { @MainActor in
            request?.resume(returning: place)
            request = nil
        }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
}
