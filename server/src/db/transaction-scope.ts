import type { Connection } from './connection.ts'
import { createDb, type Db, type PendingQuery, type RowList } from './sql.ts'

/** A transaction, or a savepoint of it. */
export interface Transaction extends Db {
  /** Runs `work` so that only its own changes are undone when it throws. */
  savepoint<T>(work: (tx: Transaction) => T | PromiseLike<T>): Promise<T>
  /** Limits the statements of the rest of the transaction, 0 for no limit. */
  setStatementTimeout(ms: number): Promise<void>
}

/** Runs `work` in a transaction. When it throws, or a statement failed, everything is rolled back. */
export async function runTransaction<T>(
  connection: Connection,
  options: string,
  work: (tx: Transaction) => T | PromiseLike<T>,
): Promise<T> {
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
    const result = await scope(work, 'rollback')
    const { command } = await connection.run({ text: 'commit' })
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back instead of committed')
    return result
  } finally {
    connection.setStatementTimeout()
  }
}

/**
 * Runs statements that do not need each other's results in one read-only transaction, which is sent in one piece: one round
 * trip for everything.
 *
 * @param statements returns what to run, in order, without waiting for any of it
 */
export async function runReadOnlyAtOnce(
  connection: Connection,
  statements: (tx: Db) => readonly PendingQuery[],
): Promise<RowList[]> {
  const tx = createDb((statement) => connection.run(statement))
  const answers = connection.sendInOnePiece(() => [
    connection.run({ text: 'begin read only' }),
    ...statements(tx).map((statement) => statement.execute()),
    connection.run({ text: 'commit' }),
  ])
  // the commit is waited for whatever failed before it: only then is the transaction over, and the connection free
  await Promise.allSettled(answers)
  const [, ...rows] = await Promise.all(answers)
  return rows
}
