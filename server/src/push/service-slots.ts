/** The pushes in flight by service, as `leaseDevices` names it. */
export type ServiceSlots = {
  take(service: string): void
  release(service: string): void
  /** Returns the services that have no slot left, and how many every other one has at least. */
  look(): { full: string[]; free: number }
}

/** Creates the slots of push services, so many for each: one that hangs takes its own, and none of the others'. */
export function createServiceSlots(slotsOfService: number): ServiceSlots {
  const inFlight = new Map<string, number>()
  return {
    take: (service) => void inFlight.set(service, (inFlight.get(service) ?? 0) + 1),
    release(service) {
      const left = (inFlight.get(service) ?? 1) - 1
      if (left > 0) inFlight.set(service, left)
      else inFlight.delete(service)
    },
    look() {
      const full: string[] = []
      let free = slotsOfService
      for (const [service, count] of inFlight) {
        if (count >= slotsOfService) full.push(service)
        else free = Math.min(free, slotsOfService - count)
      }
      return { full, free }
    },
  }
}
