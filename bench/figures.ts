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
/** Returns a figure for information only. */
export const note = (name: string, value: string | number): Figure => ({ name, value: formatCount(value) })
const formatCount = (value: string | number) => (typeof value === 'number' ? value.toLocaleString('en-CA') : value)

/** Returns the middle of some numbers, rounded; `part` other than a half returns that quantile. */
export function quantile(numbers: number[], part = 0.5): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN)
}

/** Prints what a scenario counted, and the command that repeats it. Returns whether all aims were reached. */
export function recordFigures(
  name: string,
  { title, description }: Scenario,
  { command, rounds, seconds, figures }: { command: string; rounds: number; seconds: number; figures: Figure[] },
): boolean {
  process.stdout.write(`\n${name}: ${title}\n${description}\n${command}: ${rounds} rounds, ${Math.round(seconds)} s\n`)
  for (const { name, value, aim } of figures) {
    const reached = aim ? `${aim.text}: ${aim.isReached ? 'yes' : 'NO'}` : ''
    process.stdout.write(`  ${name.padEnd(58)} ${value.padEnd(22)} ${reached}\n`)
  }
  return figures.every((figure) => figure.aim?.isReached !== false)
}
