import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUserSubject } from './record-action.ts'

test('the audit log shows the domain of an address only when very many people have one there', () => {
  assert.equal(formatUserSubject('alex.tremblay@gmail.com'), 'a•••@gmail.com')
  assert.equal(formatUserSubject('alex@Videotron.ca'), 'a•••@videotron.ca')
  // the domain of a person or a small firm would name them
  assert.equal(formatUserSubject('alex@tremblay-fils.quebec'), 'a•••@•••.quebec')
  assert.equal(formatUserSubject('alex@gmail.com.tremblay.ca'), 'a•••@•••.ca')
  assert.equal(formatUserSubject('no address'), '•••')
})
