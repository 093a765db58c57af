import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FILE = join(ROOT, 'docs/figures.md')

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
  /** What is done, in a paragraph of `docs/figures.md`. */
  description: string
  /** Rounds without `--rounds`: few, so that a run takes minutes. */
  rounds: number
  run(rounds: number, progress: (text: string) => void): Promise<Figure[]>
}

const HEAD = `# Figures

What the harnesses of faults and load counted. Each section is written by the command it names, which replaces it when it runs again;
nothing here is written by hand. A scenario that did not reach what is wanted says so.
`

const startOf = (name: string) => `<!-- ${name}: begin -->`
const endOf = (name: string) => `<!-- ${name}: end -->`

/** Returns what kind of machine this is, as far as it matters to the figures, without its name. */
function describeMachine(): string {
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores, ${gib} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
}

/** Returns which commit is measured, and whether files differ from it, other than the figures themselves. */
function describeCommit(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--short', 'HEAD')
  if (status !== 0) return 'at no known commit'
  const changes = git('status', '--porcelain', '--', '.', ':(exclude)docs/figures.md').stdout
  return `at commit ${stdout.trim()}${changes === '' ? '' : ' with changes'}`
}
/** Read when the command starts: somebody may commit meanwhile. */
const COMMIT = describeCommit()

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

/** Prints the figures of a scenario, and writes them into its section of `docs/figures.md`. Returns whether all aims were reached. */
export function recordFigures(
  name: string,
  { title, description }: Scenario,
  run: { command: string; rounds: number; seconds: number; figures: Figure[] },
): boolean {
  const { command, rounds, seconds, figures } = run
  const missed = figures.filter((figure) => figure.aim && !figure.aim.isReached)
  const rows = figures.map(({ name, value, aim }) => [
    name,
    value,
    aim?.text ?? '',
    aim ? (aim.isReached ? 'yes' : '**no**') : '',
  ])
  process.stdout.write(`\n${title}, ${rounds} rounds, ${Math.round(seconds)} s\n`)
  for (const [figure, value, wanted, reached] of rows)
    process.stdout.write(`  ${figure!.padEnd(58)} ${value!.padEnd(22)} ${wanted ? `${wanted}: ${reached}` : ''}\n`)
  const section = [
    startOf(name),
    `## ${title}`,
    '',
    description,
    '',
    `\`${command}\`, ${rounds} rounds in ${Math.round(seconds)} s on ${new Date().toISOString().slice(0, 10)}, ${COMMIT}; ${describeMachine()}.`,
    '',
    '| Figure | Counted | Wanted | Reached |',
    '|---|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    endOf(name),
  ].join('\n')
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD
  const [from, to] = [before.indexOf(startOf(name)), before.indexOf(endOf(name))]
  const after =
    from >= 0 && to > from
      ? before.slice(0, from) + section + before.slice(to + endOf(name).length)
      : `${before.trimEnd()}\n\n${section}\n`
  writeFileSync(FILE, after)
  return missed.length === 0
}
