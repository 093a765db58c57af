import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { runLimited } from './limited-run.mjs'

const hasReport = process.platform !== 'win32'

describe('a program', { concurrency: true }, () => {
  test('that ends in time says itself how', async () => {
    const run = (code) => runLimited(['--eval', code], { limitMs: 60_000 })
    assert.deepEqual(await run('console.log("done")'), { ok: true, output: 'done\n' })
    assert.equal((await run('process.exitCode = 3')).ok, false)
  })

  test('that waits for ever is ended, and its output says what for', { skip: !hasReport }, async () => {
    const { ok, output } = await runLimited(
      ['--eval', `console.log('begun'); require('node:net').createServer().listen(0, '127.0.0.1')`],
      { limitMs: 1000 },
    )
    assert.equal(ok, false)
    assert.match(output, /^begun\n/)
    assert.match(output, /^✖ did not end within 1 s: it waits for tcp .*"127\.0\.0\.1".*, after: begun$/m)
  })

  test('that computes for ever is ended, and its output says so', { skip: !hasReport }, async () => {
    const { ok, output } = await runLimited(['--eval', 'for (;;);'], { limitMs: 1000 })
    assert.equal(ok, false)
    assert.match(output, /^✖ did not end within 1 s: it computes without a pause/m)
  })

  test('that leaves a process behind has failed, and the process ends', { skip: !hasReport }, async (t) => {
    const server = createServer().listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const connected = once(server, 'connection')
    const left = `require('node:net').connect(${server.address().port}, '127.0.0.1')`
    const { ok, output } = await runLimited(
      [
        '--eval',
        `require('node:child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(left)}], { stdio: 'inherit' }).unref()`,
      ],
      { limitMs: 60_000 },
    )
    assert.equal(ok, false)
    assert.match(output, /ended, and left a process that still has its output/)
    const [socket] = await connected
    t.after(() => socket.destroy())
    socket.resume().on('error', () => {}) // killed
    if (!socket.closed) await once(socket, 'close')
  })
})
