/** The types of sample.mjs, for tests in TypeScript. */
export type Sample = {
  seed: string
  runsAll: boolean
  takesTurns: boolean
  turn(name: string, count: number): number
  pick<T>(name: string, choices: readonly T[]): T[]
  part<T>(name: string, choices: readonly T[], parts: number): T[]
  hasTurn(name: string): boolean
  rounds(all: number, some: number): number
  random(name: string): () => number
  description: string
}

export const sample: Sample
export const cycleDays: number
export function createSample(env: { TEST_SEED?: string; TEST_FULL?: string; TEST_TURNS?: string }): Sample
