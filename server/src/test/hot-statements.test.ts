import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOT_STATEMENTS, isStatement, statementsOf } from './hot-statements.ts'

describe('the statements that the bench of growth names', () => {
  test('exist', () => {
    const missing = Object.entries(HOT_STATEMENTS).flatMap(([file, names]) => {
      const statements = statementsOf(file)
      return names.filter((name) => !statements.has(name)).map((name) => `${file} ${name}`)
    })
    assert.deepEqual(missing, [])
  })

  test('are compared with what PostgreSQL keeps of a statement, which has parameters for its constants', () => {
    const [statement] = statementsOf('server/src/notifications/queries.ts').get('setAllNotificationsRead')!
    const query = (column: string) => `
      update notifications set is_read = $2 where ${column} = $1 and not is_read`
    assert.equal(isStatement(query('user_id'), statement!), true)
    assert.equal(isStatement(query('id'), statement!), false)
    assert.equal(isStatement(`${query('user_id')} and number < $3`, statement!), false)
  })
})
