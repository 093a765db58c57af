import type { Transaction } from '../db/pool.ts'

/** Ends a savepoint that is to be undone. */
class Withheld extends Error {}

/**
 * Does what tells the other side of something, and undoes it when they have blocked whoever does it: so it takes as long, and nobody
 * can tell that they are blocked (decision 0085).
 */
export async function unlessWithheld(
  tx: Transaction,
  isWithheld: boolean,
  tell: (told: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await tx.savepoint(async (told) => {
      await tell(told)
      if (isWithheld) throw new Withheld()
    })
  } catch (error) {
    if (!(error instanceof Withheld)) throw error
  }
}
