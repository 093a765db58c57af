import { parseArgs } from 'node:util'
import { recordFigures, type Scenario } from './figures.ts'

/** Runs the scenarios a command names, or all of them, one after the other, each with its section in `docs/figures.md`. */
export async function runScenarios(command: string, scenarios: Record<string, Scenario>): Promise<void> {
  const { values, positionals } = parseArgs({ options: { rounds: { type: 'string' } }, allowPositionals: true })
  const unknown = positionals.find((name) => !Object.hasOwn(scenarios, name))
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (unknown !== undefined || (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))) {
    process.stderr.write(
      `npm run ${command} [-- <scenario> … --rounds=<number>]\nScenarios: ${Object.keys(scenarios).join(', ')}\n`,
    )
    process.exitCode = 2
    return
  }
  for (const name of positionals.length > 0 ? positionals : Object.keys(scenarios)) {
    const scenario = scenarios[name]!
    const count = rounds ?? scenario.rounds
    const started = performance.now()
    const figures = await scenario.run(count, (text) => process.stderr.write(`${name}: ${text}\n`))
    const seconds = (performance.now() - started) / 1000
    const line = `npm run ${command} -- ${name} --rounds=${count}`
    if (!recordFigures(name, scenario, { command: line, rounds: count, seconds, figures })) process.exitCode = 1
  }
}
