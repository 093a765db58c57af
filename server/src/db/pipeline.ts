import type { Connection } from './connection.ts'
import { createDb, type Db } from './sql.ts'

/**
 * Runs `work` on a connection, over which the statements it starts in one turn of the event loop are sent in one piece. They run
 * one after the other, and one that fails undoes no other. Resolves or rejects once all of them have ended, when the connection
 * is free again.
 */
export async function runPipelined<T>(connection: Connection, work: (db: Db) => Promise<T>): Promise<T> {
  const running: Promise<unknown>[] = []
  let isOver = false
  const db = createDb((statement) => {
    if (isOver) throw new Error('the connection was returned to the pool')
    connection.holdWrites()
    const response = connection.run(statement)
    running.push(response)
    return response
  })
  try {
    return await work(db)
  } finally {
    isOver = true
    await Promise.allSettled(running)
  }
}
