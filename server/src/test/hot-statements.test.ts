import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RARE } from './hot-statement-list.ts'
import { isFoundBy, isStatement, listHotStatements, statementsOf } from './hot-statements.ts'

/** Files of which every statement is in one of the lists, or named as rare. */
const WHOLE_FILES = [
  'server/src/messages/queries.ts',
  'server/src/messages/send-statement.ts',
  'server/src/messages/encrypt-for-send.ts',
  'server/src/notifications/queries.ts',
  'server/src/dashboard/queries.ts',
  'server/src/vehicles/queries.ts',
  'server/src/auth/session-queries.ts',
  'server/src/limits/rate-limiter.ts',
  'server/src/email/lease-mails.ts',
  'server/src/email/queries.ts',
  'server/src/push/delivery-queries.ts',
]

const rows = listHotStatements()

describe('the lists of hot statements', () => {
  test('name statements that exist and are found by the keys they say', () => {
    assert.ok(rows.filter(({ isMeasured }) => isMeasured).length > 25, `${rows.length} rows`)
    const problems = rows.flatMap(({ file, name, keys }) => {
      const source = statementsOf(file).get(name)?.source
      if (source === undefined) return [`${file} has no statement ${name}`]
      if (keys.length === 0) return [`${name} has no key`]
      return keys.filter((key) => !isFoundBy(source, key)).map((key) => `${name} is not found by ${key}`)
    })
    assert.deepEqual(problems, [])
  })

  test('have every statement of the files of what people do all day', () => {
    const isListed = (file: string, name: string) =>
      RARE.includes(name) || rows.some((row) => row.file === file && row.name === name)
    const missing = WHOLE_FILES.flatMap((file) =>
      [...statementsOf(file).keys()].filter((name) => !isListed(file, name)).map((name) => `${file} ${name}`),
    )
    assert.deepEqual(missing, [])
    const gone = RARE.filter((name) => !WHOLE_FILES.some((file) => statementsOf(file).has(name)))
    assert.deepEqual(gone, [])
  })

  test('would notice a statement that is found by something else', () => {
    const statement = 'export const f = (db) => db`select id from notifications where type = 1`'
    assert.equal(isFoundBy(statement, 'user_id'), false)
    assert.equal(isFoundBy(statement, 'type'), true)
  })

  test('are compared with what PostgreSQL keeps of a statement, which has parameters for its constants', () => {
    const { statements } = statementsOf('server/src/notifications/queries.ts').get('setAllNotificationsRead')!
    const query = (column: string) => `
      update notifications set is_read = $2 where ${column} = $1 and not is_read`
    assert.equal(isStatement(query('user_id'), statements[0]!), true)
    assert.equal(isStatement(query('id'), statements[0]!), false)
    assert.equal(isStatement(`${query('user_id')} and number < $3`, statements[0]!), false)
  })

  test('are recognized with one parameter for a list, and with one for what is extracted from a time', () => {
    // a statement that is recorded has all pieces of its source
    const piecesOf = (file: string, name: string) => statementsOf(file).get(name)!.statements[0]!
    assert.ok(!piecesOf('server/src/dashboard/queries.ts', 'getDashboardCounts').includes(','))
    assert.ok(!piecesOf('server/src/auth/session-queries.ts', 'findIdentities').some((piece) => /epoch/.test(piece)))
  })
})
