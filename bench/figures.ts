/** One line of a scenario's table. */
export type Figure = {
  name: string
  value: string
  /** The target, and whether it was reached; without it the figure is for information only. */
  aim?: { text: string; isReached: boolean }
}

/** A way to break or load the product, which returns what it counted. */
export type Scenario = {
  title: string
  /** What is done, in a paragraph. */
  description: string
  /** Rounds without `--rounds`: few, so that a run takes minutes. */
  rounds: number
  run(rounds: number, progress: (text: string) => void): Promise<Figure[]>
}

/** Returns a figure with a target. */
export const aim = (name: string, value: string | number, text: string, isReached: boolean): Figure => ({
  name,
  value: formatCount(value),
  aim: { text, isReached },
})
/** Returns a figure of what should not be there. */
export const none = (name: string, count: number): Figure => aim(name, count, '0', count === 0)
/** Returns a figure for information only. */
export const note = (name: string, value: string | number): Figure => ({ name, value: formatCount(value) })
const formatCount = (value: string | number) => (typeof value === 'number' ? value.toLocaleString('en-CA') : value)

/** Returns the middle of some numbers, and NaN of none; `part` other than a half returns that quantile. */
export function quantile(numbers: number[], part = 0.5): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Returns the middle of some times, or another quantile, as text. */
export const formatMs = (times: number[], part?: number) => `${Math.round(quantile(times, part))} ms`

/** Returns the middle and the 99th percentile of some times. */
export const formatSpread = (times: number[]) =>
  `${Math.round(quantile(times))} / ${Math.round(quantile(times, 0.99))} ms`

type Run = {
  title: string
  description: string
  /** What repeats it. */
  command: string
  rounds: number
  startedAt: number
  figures: Figure[]
}

/** Prints what was counted and the command that repeats it; makes this process fail unless all aims were reached. */
export function recordFigures({ title, description, command, rounds, startedAt, figures }: Run): void {
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(`\n${title}\n${description}\n${command}: ${rounds} rounds, ${seconds} s\n`)
  for (const { name, value, aim } of figures) {
    const reached = aim ? `${aim.text}: ${aim.isReached ? 'yes' : 'NO'}` : ''
    process.stdout.write(`  ${name.padEnd(58)} ${value.padEnd(22)} ${reached}\n`)
  }
  if (figures.some((figure) => figure.aim?.isReached === false)) process.exitCode = 1
}
