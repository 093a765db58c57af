import type { Connection } from './connection.ts'
import { createDb, type Db } from './sql.ts'

/** A transaction, or a savepoint of it. */
export interface Transaction extends Db {
  /** Runs `work` so that only its own changes are undone when it throws. */
  savepoint<T>(work: (tx: Transaction) => T | PromiseLike<T>): Promise<T>
  /** Limits the statements of the rest of the transaction, 0 for no limit. */
  setStatementTimeout(ms: number): Promise<void>
}

/**
 * Runs `work` in a transaction. When it throws, or a statement failed, everything is rolled back. It is run a second time when
 * a statement met a plan that a migration had made obsolete: no statement uses a kept plan then.
 */
export async function runTransaction<T>(
  connection: Connection,
  options: string,
  work: (tx: Transaction) => T | PromiseLike<T>,
): Promise<T> {
  try {
    return await attemptTransaction(connection, options, work)
  } catch (error) {
    if (!connection.obsoletePlan || connection.broken) throw error
    return attemptTransaction(connection, options, work)
  }
}

async function attemptTransaction<T>(
  connection: Connection,
  options: string,
  work: (tx: Transaction) => T | PromiseLike<T>,
): Promise<T> {
  const before = connection.obsoletePlan
  let savepoints = 0

  const scope = async <R>(inner: (tx: Transaction) => R | PromiseLike<R>, undo: string): Promise<R> => {
    let failed: { error: unknown } | undefined
    const tx = createDb(async (statement) => {
      try {
        return await connection.run(statement)
      } catch (error) {
        failed ??= { error }
        throw error
      }
    })
    try {
      const result = await inner(
        Object.assign(tx, {
          savepoint: async <S>(nested: (nestedTx: Transaction) => S | PromiseLike<S>) => {
            const name = `s${++savepoints}`
            await connection.run({ text: `savepoint ${name}` })
            return scope(nested, `rollback to ${name}`)
          },
          async setStatementTimeout(ms: number) {
            connection.setStatementTimeout(ms)
            await tx`select set_config('statement_timeout', ${String(ms)}, true)`
          },
        }),
      )
      // a failed statement has undone all, whatever `inner` made of its error
      if (failed) throw failed.error
      return result
    } catch (error) {
      // without its connection the server rolls back by itself
      if (!connection.broken) await connection.run({ text: undo })
      throw error
    }
  }

  try {
    await connection.run({ text: `begin ${options}` })
    const result = await scope(async (tx) => {
      const done = await work(tx)
      // a savepoint that failed for it may have been taken for one that failed for a reason of its own
      if (connection.obsoletePlan !== before) throw connection.obsoletePlan
      return done
    }, 'rollback')
    const { command } = await connection.run({ text: 'commit' })
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back instead of committed')
    return result
  } finally {
    connection.setStatementTimeout()
  }
}
