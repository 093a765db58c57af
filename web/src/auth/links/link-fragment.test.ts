import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLinkFragment } from './link-fragment.ts'

test('a link yields both of its tokens', () => {
  assert.deepEqual(readLinkFragment('#access_token=a.b.c&expires_in=3600&refresh_token=r1&sb=&type=signup'), {
    state: 'tokens',
    accessToken: 'a.b.c',
    refreshToken: 'r1',
  })
})

test('a truncated link, a refused link and no link are distinguished', () => {
  assert.equal(readLinkFragment('#access_token=a.b.c').state, 'incomplete')
  const refused = '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid&sb='
  assert.equal(readLinkFragment(refused).state, 'refused')
  assert.equal(readLinkFragment('#refresh_token=r1').state, 'none')
  assert.equal(readLinkFragment('#content').state, 'none')
  assert.equal(readLinkFragment('').state, 'none')
})
