import type { Transaction } from '../db/pool.ts'

/** Ends a savepoint that is to be undone. */
class Withheld extends Error {}

/**
 * Runs the notification of the other side, and rolls it back when they have blocked the person who acts: it takes as long in
 * both cases, so that nobody can find out that they are blocked (decision blocking-people).
 */
export async function unlessWithheld(
  tx: Transaction,
  isWithheld: boolean,
  notifyOther: (savepoint: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await tx.savepoint(async (savepoint) => {
      await notifyOther(savepoint)
      if (isWithheld) throw new Withheld()
    })
  } catch (error) {
    if (!(error instanceof Withheld)) throw error
  }
}
