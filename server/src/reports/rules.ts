/** What a report shows of its reporter, as keyed hashes. */
export type ReporterTraces = { reporter: Buffer; network: Buffer; plates: Buffer[] }

/**
 * Counts the people who reported somebody independently of each other (decision message-reports). Reports of one person, from one
 * network, or of people who have registered the same plate count as one, and so do those that belong together through others.
 */
export function countIndependentReporters(reports: ReporterTraces[]): number {
  let groups: Set<string>[] = []
  for (const { reporter, network, plates } of reports) {
    const traces = [
      `person ${reporter.toString('hex')}`,
      `network ${network.toString('hex')}`,
      ...plates.map((plate) => `plate ${plate.toString('hex')}`),
    ]
    const related = groups.filter((group) => traces.some((trace) => group.has(trace)))
    const merged = new Set([...traces, ...related.flatMap((group) => [...group])])
    groups = [...groups.filter((group) => !related.includes(group)), merged]
  }
  return groups.length
}
