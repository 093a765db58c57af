import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { registerErrorHandler } from '../http/errors.ts'
import { registerSecurityHeaders } from '../http/security-headers.ts'
import { createMailHarness } from '../test/mail-harness.ts'
import { rawRequest } from '../test/raw-request.ts'
import { registerDevMailbox } from './dev-mailbox.ts'

const harness = await createMailHarness()
after(() => harness.close())

/** Serves only the mailbox on a port, with the headers and errors of the whole server. */
async function startMailbox(settings: Partial<AppContext['config']> = {}, host = '127.0.0.1') {
  const app = Fastify()
  after(() => app.close())
  registerSecurityHeaders(app, false)
  registerErrorHandler(app)
  registerDevMailbox(app, { ...harness.context, config: { ...harness.config, ...settings } })
  await app.listen({ port: 0, host })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

test('there is no mailbox in production, nor when emails are really sent', async () => {
  for (const settings of [{ production: true }, { SMTP_URL: 'smtp://127.0.0.1:25' }]) {
    const url = await startMailbox(settings)
    for (const path of ['/dev/mailbox', '/dev/mailbox.json']) assert.equal((await fetch(url + path)).status, 404)
  }
})

const MAILBOX_PATHS = ['/dev/mailbox', '/dev/mailbox.json', `/dev/mailbox/${newId()}`]

test('the mailbox answers to the names of this machine only, and through no proxy or tunnel on it', async () => {
  const url = await startMailbox()
  const status = async (headers: Record<string, string>, path = '/dev/mailbox') =>
    (await rawRequest(url, path, { headers })).status
  for (const host of ['LOCALHOST', '127.0.0.1:80', '[::1]:80', 'dev.localhost:80'])
    assert.equal(await status({ host }), 200, host)
  // so that no page can point its own name at it
  for (const host of ['rebound.example:80', 'localhost.example.com', '127.0.0.1.example.com', 'x@localhost'])
    for (const path of MAILBOX_PATHS) assert.equal(await status({ host }, path), 404, `${host} ${path}`)
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host'])
    assert.equal(await status({ [name]: '127.0.0.1' }), 404, name)
})

const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

test('the mailbox is not shown to other machines, whatever HOST is', {
  skip: ownAddress === undefined && 'this machine has no address of a network',
}, async () => {
  const { port } = new URL(await startMailbox({}, '0.0.0.0'))
  const url = `http://${ownAddress}:${port}`
  for (const path of MAILBOX_PATHS)
    assert.equal((await rawRequest(url, path, { headers: { host: `localhost:${port}` } })).status, 404, path)
  assert.equal((await rawRequest(`http://127.0.0.1:${port}`, '/dev/mailbox')).status, 200)
})
