import type { Db } from '../db/pool.ts'

/** The slots of push services: one that hangs keeps its own, and none of the others'. */
type ServiceSlots = {
  /** Frees the slot of a lease whose work has ended. */
  release(service: string): void
  /** Returns the services that have no slot left. */
  listFull(): string[]
  /**
   * Leases as many rows as may be in flight, and takes their slots.
   *
   * @param lease leases rows, except those of full services
   * @returns `leftOut`: the full services, of which there may be rows; none as long as there may be other rows
   */
  fill<Lease extends { service: string }>(
    limit: number,
    lease: (limit: number, fullServices: string[]) => Promise<Lease[]>,
  ): Promise<{ leases: Lease[]; mayHaveMore: boolean; leftOut: string[] }>
}

/**
 * Returns the SQL for whose service a column `endpoint` belongs to: the last two parts of its host, because a vendor has many.
 */
export const serviceOf = (db: Db) => db`substring(split_part(endpoint, '/', 3) from '[^.]*[.]?[^.]*$')`

/** Creates slots, so many for each service. */
export function createServiceSlots(slotsOfService: number): ServiceSlots {
  const inFlight = new Map<string, number>()
  const count = (service: string) => inFlight.get(service) ?? 0
  const listFull = () => [...inFlight.keys()].filter((service) => count(service) >= slotsOfService)

  return {
    release(service) {
      if (count(service) > 1) inFlight.set(service, count(service) - 1)
      else inFlight.delete(service)
    },
    listFull,
    async fill(limit, lease) {
      type Leases = Awaited<ReturnType<typeof lease>>
      const leases: Leases = []
      while (leases.length < limit) {
        const full = listFull()
        // whichever services the next ones are of, they have so many slots
        const free = slotsOfService - Math.max(0, ...[...inFlight.values()].filter((n) => n < slotsOfService))
        const rows = Math.min(limit - leases.length, free)
        let batch: Leases
        try {
          batch = await lease(rows, full)
        } catch (error) {
          if (leases.length === 0) throw error
          break // what was leased has to be done
        }
        for (const { service } of batch) inFlight.set(service, count(service) + 1)
        leases.push(...batch)
        if (batch.length < rows) return { leases, mayHaveMore: false, leftOut: full }
      }
      return { leases, mayHaveMore: true, leftOut: [] }
    },
  }
}
