import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ConfigError, loadConfig, SETTING_NAMES } from './config.ts'
import { PRODUCTION } from './test/production-settings.ts'

describe('settings', () => {
  test('an empty environment is a working development setup', () => {
    const config = loadConfig({})
    assert.deepEqual(
      [config.PORT, config.HOST, config.PUBLIC_URL, config.ROLE, config.LIMIT_SCALE, config.production],
      [3000, '127.0.0.1', 'http://localhost:3000', 'all', 1, false],
    )
  })

  test('a variable set to nothing is not set', () => {
    assert.equal(loadConfig({ PORT: '', DATABASE_URL: '', SMTP_URL: '' }).PORT, 3000)
  })

  const wrong: [string, Record<string, string>, RegExp][] = [
    ['a port out of range', { PORT: '70000' }, /PORT must be a whole number/],
    ['a database of another kind', { DATABASE_URL: 'mysql://x/y' }, /DATABASE_URL must be a URL .* postgres:/],
    ['a key of the wrong length', { MASTER_KEY: 'c2hvcnQ=' }, /MASTER_KEY must be 32 bytes/],
    ['a short old secret', { JWT_SECRETS_OLD: `${'x'.repeat(32)},short` }, /JWT_SECRETS_OLD must have at least 32/],
    ['a mail server without a name', { SMTP_URL: 'smtp://' }, /SMTP_URL must name a server/],
    ['an unknown TLS mode', { SMTP_URL: 'smtp://mail.test?tls=never' }, /SMTP_URL may end with \?tls=required or/],
    ['a proxy that is not an address', { TRUST_PROXY: '127.0.0.1, proxy' }, /TRUST_PROXY must be addresses/],
    ['a proxy network that is too narrow', { TRUST_PROXY: '10.0.0.0/33' }, /TRUST_PROXY must be addresses/],
    ['one port for both servers', { PORT: '3000', METRICS_PORT: '3000' }, /METRICS_PORT must be another port/],
    ['a limit scale of zero', { LIMIT_SCALE: '0' }, /LIMIT_SCALE must be a number above 0/],
    ['an address with a path', { PUBLIC_URL: 'https://platenote.ca/app' }, /PUBLIC_URL must be an origin/],
    ['a password with a bare %', { DATABASE_URL: 'postgres://user:5%@db.test/x' }, /DATABASE_URL must have %25/],
    ['an address in brackets', { HOST: '[::1]' }, /HOST must be an address such as/],
    ['a mailbox in quotation marks', { MAIL_FROM: '"A <a@b.ca>" <a@b.ca' }, /MAIL_FROM must be an e-mail address/],
    ['two wrong settings', { PORT: 'x', ROLE: 'y' }, /PORT .*; ROLE /],
  ]
  test('a wrong setting is refused with one line that names it', () => {
    for (const [what, env, message] of wrong)
      assert.throws(
        () => loadConfig(env),
        (error) => error instanceof ConfigError && message.test(error.message) && !error.message.includes('\n'),
        what,
      )
  })

  test('what an env file has around a value, or a value of another kind, is refused by the name of its setting', () => {
    const anyText = ['DATA_DIR', 'MAIL_SENDER_NAME', 'MAIL_POSTAL_ADDRESS', 'PRIVACY_OFFICER']
    for (const name of SETTING_NAMES) {
      const value = PRODUCTION[name as keyof typeof PRODUCTION] ?? '1'
      const written = [`"${value}"`, `'${value}'`, ` ${value}`, `${value}\r`, `${value} # as before`]
      if (!anyText.includes(name)) written.push('no such value, 5%')
      for (const text of written) {
        assert.throws(
          () => loadConfig({ ...PRODUCTION, [name]: text }),
          new RegExp(`^Error: wrong setting: ${name} `),
          text,
        )
      }
    }
    for (const MAIL_FROM of [
      'notes@plate.ca',
      'PlateNote Québec <notes@plate.ca>',
      '"Notes, by plate" <notes@plate.ca>',
    ]) {
      assert.equal(loadConfig({ ...PRODUCTION, MAIL_FROM }).MAIL_FROM, MAIL_FROM)
    }
  })

  test('production does not start without what has no default that fits, and says why; development does', () => {
    const law = '.*the law wants'
    const reasons: Partial<Record<keyof typeof PRODUCTION, string>> = {
      ...{ PUBLIC_URL: '', MASTER_KEY: '', JWT_SECRET: '', SMTP_URL: '' },
      ...{ MAIL_SENDER_NAME: law, MAIL_POSTAL_ADDRESS: law, PRIVACY_OFFICER: law },
      ...{ MAIL_FROM: '.*an address of PlateNote Inc\\.', SUPPORT_EMAIL: '.*an address of PlateNote Inc\\.' },
    }
    for (const [name, reason] of Object.entries(reasons)) {
      const line = new RegExp(`^Error: missing setting: ${name}\\b.*NODE_ENV is production${reason}`)
      assert.throws(() => loadConfig({ ...PRODUCTION, [name]: '' }), line)
      assert.throws(() => loadConfig({ ...PRODUCTION, [name]: '  ' }), new RegExp(`setting: ${name}\\b`))
      loadConfig({ [name]: '' })
    }
  })

  test('production has https in its links, except on this machine', () => {
    const start = (url: string) => loadConfig({ ...PRODUCTION, PUBLIC_URL: url }).PUBLIC_URL
    for (const url of ['http://platenote.ca', 'http://192.168.1.5:3000', 'http://localhost.example.com'])
      assert.throws(() => start(url), /^Error: wrong setting: PUBLIC_URL must start with https:\/\//)
    for (const url of ['https://platenote.ca', 'http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
      assert.equal(start(url), url)
    assert.equal(loadConfig({ PUBLIC_URL: 'http://192.168.1.5:3000' }).PUBLIC_URL, 'http://192.168.1.5:3000')
  })

  test('production reaches a database on another machine over TLS, unless the setting says otherwise', () => {
    const start = (url: string, settings: Record<string, string> = {}) =>
      loadConfig({ ...PRODUCTION, DATABASE_URL: url, ...settings }).DATABASE_URL
    const remote = ['postgres://app@db.example.com/x', 'postgres://app@10.0.0.7:5432/x', 'postgres:///x?host=10.0.0.7']
    for (const url of remote) {
      const separator = url.includes('?') ? '&' : '?'
      for (const end of ['', `${separator}sslmode=disable`, `${separator}sslmode=prefer`, `${separator}sslmode=allow`])
        assert.throws(() => start(url + end), /^Error: wrong setting: DATABASE_URL .*sslmode=verify-full/)
      for (const mode of ['require', 'verify-ca', 'verify-full']) start(`${url}${separator}sslmode=${mode}`)
      assert.equal(start(url, { DATABASE_TLS: 'optional' }), url)
      assert.equal(loadConfig({ DATABASE_URL: url }).DATABASE_URL, url)
      assert.throws(() => loadConfig({ DATABASE_URL: url, DATABASE_TLS: 'required' }), /DATABASE_URL/)
    }
    for (const url of [
      'postgres://app@localhost/x',
      'postgres://app@127.0.0.1:5433/x',
      'postgres://app@[::1]/x',
      'postgres://app@localhost/x?host=/run/postgresql',
      'postgres:///x',
    ])
      assert.equal(start(url), url)
  })

  test('production cannot confirm addresses automatically', () => {
    assert.throws(() => loadConfig({ ...PRODUCTION, AUTH_AUTOCONFIRM: 'true' }), /AUTH_AUTOCONFIRM/)
    assert.equal(loadConfig(PRODUCTION).production, true)
  })

  test('.env.example and docs/operations.md list every setting and nothing else', () => {
    const root = join(import.meta.dirname, '../..')
    const example = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(
      (m) => m[1]!,
    )
    const operations = [
      ...readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gm),
    ].map((m) => m[1]!)
    assert.deepEqual(example.toSorted(), SETTING_NAMES.toSorted())
    assert.deepEqual(operations.toSorted(), SETTING_NAMES.toSorted())
  })
})
