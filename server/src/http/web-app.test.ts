import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { createLogger } from '../log/logger.ts'
import { testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { fieldsOf } from '../test/fields.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { pageFilePath } from './web-app.ts'

const HASH = "'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='"
const STYLE = "'sha256-BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB='"
const SECRET = 'outside of the build'
const page = (name: string) => `<!doctype html><title>${name}</title>${'x'.repeat(500)}`

/** A page that shows settings; the other names between per cent signs at its end are no placeholders. */
const PRIVACY = `<a href="mailto:%SUPPORT_EMAIL%">%PRIVACY_OFFICER%</a> <i>%MAIL_POSTAL_ADDRESS%</i> %PUBLIC_URL%/privacy
  https://elsewhere.example/?u=%PUBLIC_URL_ENCODED% <b>%PRIVACY_EMAIL%</b> 100%OFF% %toString% %AA%PUBLIC_URL%/${'x'.repeat(600)}`

/** A page for people without an account, in whatever language they read. */
const RECEIPT =
  '<main lang="%TEXT_TAG%" dir="%TEXT_DIRECTION%">%TEXT_RECEIPT_TITLE%<option value="pa">%FORM_BLANK%</main>'

const folder = temporaryFolder('platenote-web-')
const root = join(folder, 'build')
const lines: string[] = []

/** Writes a file of the fake build, optionally with its compressed forms. */
function writeBuildFile(path: string, text: string, compressed = false): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (!compressed) return
  writeFileSync(`${file}.br`, brotliCompressSync(text))
  writeFileSync(`${file}.gz`, gzipSync(text))
}

const SCRIPT = `console.log("${'a'.repeat(500)}")`

const pages = `index login/index fr/login/index t/index t/one/index fr/t/one/index admin/inbox/report/one/index fr/index
  404/index fr/404/index contact-us/index fr/contact-us/index
  answer/index fr/answer/index n/index n/opened/index n/gone/index fr/n/index fr/n/opened/index fr/n/gone/index fr/t/index r/index fr/r/index`.split(
  /\s+/,
)
for (const name of pages) writeBuildFile(`client/${name}.html`, page(name))
writeBuildFile('client/r/index.html', RECEIPT)
writeBuildFile('client/fr/r/index.html', RECEIPT)
writeBuildFile('client/privacy/index.html', PRIVACY)
writeBuildFile('client/small/index.html', '<p>%SUPPORT_EMAIL%</p>')
writeBuildFile('client/assets/app-Ab12.js', SCRIPT, true)
writeBuildFile('client/assets/plain-Cd34.css', 'body{}')
writeBuildFile('client/favicon.svg', '<svg/>')
for (const name of ['icon-180.png', 'icon-192.png']) writeBuildFile(`client/${name}`, name)
writeBuildFile('client/sw.js', SCRIPT, true)
writeBuildFile('client/caf\u00e9 menu.txt', 'bonjour')
writeBuildFile('csp.json', JSON.stringify({ '/login/index.html': { scripts: [HASH], styles: [STYLE] } }))
writeBuildFile('server.txt', SECRET)
writeFileSync(join(folder, 'secret.txt'), SECRET)
const app = await testApp()
const log = createLogger('info', { write: (line) => void lines.push(line) })
const config = {
  ...app.context.config,
  SUPPORT_EMAIL: 'help@plate.example',
  PRIVACY_OFFICER: 'Zoé "<O\u2019Neil>" & %PUBLIC_URL%',
}
const server = await startSiblingServer({ ...app.context, config, log }, root)

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(server.url, path, { headers, method })

test('the service worker may fetch from our own origin, and is revalidated each time', async () => {
  for (const coding of ['identity', 'br']) {
    const { status, headers } = await get('/sw.js', { 'accept-encoding': coding })
    assert.equal(status, 200)
    assert.equal(headers['content-security-policy'], "default-src 'none'; connect-src 'self'; img-src 'self'")
    assert.equal(headers['cache-control'], 'no-cache')
    assert.match(String(headers['content-type']), /javascript/)
  }
  const { headers } = await get('/favicon.svg')
  assert.ok(!String(headers['content-security-policy']).includes("'self'"), 'nothing else may')
})

test('a page is sent with the policy that has exactly its own hashes', async () => {
  const login = await get('/login')
  assert.deepEqual([login.status, login.text], [200, page('login/index')])
  assert.equal(login.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(login.headers['cache-control'], 'no-cache')
  const policy = String(login.headers['content-security-policy'])
  assert.ok(policy.includes(`script-src 'self' ${HASH};`) && policy.includes(`style-src 'self' ${STYLE};`), policy)
  assert.ok(policy.startsWith("default-src 'none';") && policy.includes("frame-ancestors 'none'"))
  const home = String((await get('/')).headers['content-security-policy'])
  assert.ok(home.includes("script-src 'self';") && !home.includes('sha256'))
  assert.doesNotMatch(policy + home, /unsafe|https?:|\*/)
  const head = await get('/login', {}, 'HEAD')
  assert.deepEqual([head.status, head.bytes.length, head.headers['content-security-policy']], [200, 0, policy])
  for (const path of ['/login/', '/login?next=%2Fsend', '/login//'])
    assert.equal((await get(path)).text, login.text, path)
})

test('a page for people without an account is in the language that was chosen, else in that of the browser, and under /fr in French', async () => {
  const shown = async (path: string, accepted?: string) => {
    const { text, headers } = await get(path, accepted === undefined ? {} : { 'accept-language': accepted })
    assert.match(String(headers.vary), /Accept-Language/)
    return text
  }
  const english = '<main lang="en-CA" dir="ltr">Your message<option value="pa">yes</main>'
  assert.equal(await shown('/r'), english)
  assert.equal(await shown('/r?language=xx', 'de-DE,de;q=0.9'), english)
  assert.match(await shown('/r', 'de, ar-EG;q=0.8, en;q=0.5'), /^<main lang="ar" dir="rtl">/)
  assert.match(await shown('/r?language=pa', 'ar'), /^<main lang="pa" dir="ltr">.*<option value="pa" selected="">/)
  assert.match(await shown('/fr/r', 'ar'), /^<main lang="fr-CA" dir="ltr">/)
  assert.match(await shown('/fr/r?language=ar'), /^<main lang="ar" dir="rtl">/)
})

const ENCODINGS: [accepted: string | undefined, coding: string | undefined][] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['x-br', undefined],
  [undefined, undefined],
]
for (const [accepted, coding] of ENCODINGS) {
  test(`Accept-Encoding ${accepted === undefined ? 'missing' : `"${accepted}"`} gets a page and a file ${coding ? `in ${coding}` : 'uncompressed'}`, async () => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted }
    for (const [path, text, type] of [
      ['/login', page('login/index'), 'text/html; charset=utf-8'],
      ['/assets/app-Ab12.js', SCRIPT, 'text/javascript; charset=utf-8'],
    ] as const) {
      const response = await get(path, headers)
      assert.deepEqual([response.status, response.headers['content-encoding']], [200, coding], path)
      const open = coding === 'br' ? brotliDecompressSync : coding === 'gzip' ? gunzipSync : (bytes: Buffer) => bytes
      assert.equal(open(response.bytes).toString(), text)
      assert.equal(String(response.headers['content-type']).replace('application/', 'text/'), type)
      assert.match(String(response.headers.vary), /accept-encoding/i)
    }
  })
}

test('a file without compressed forms, and a very short page, are sent uncompressed whatever is accepted', async () => {
  const { status, text, headers } = await get('/assets/plain-Cd34.css', { 'accept-encoding': 'br, gzip' })
  assert.deepEqual([status, text, headers['content-encoding']], [200, 'body{}', undefined])
  const small = await get('/small', { 'accept-encoding': 'br, gzip' })
  assert.deepEqual([small.text, small.headers['content-encoding']], ['<p>help@plate.example</p>', undefined])
})

test('a page shows the settings of this installation, escaped, and nothing else in it changes', async () => {
  const { text } = await get('/privacy')
  const url = app.context.config.PUBLIC_URL
  assert.ok(
    text.startsWith('<a href="mailto:help@plate.example">Zoé &quot;&lt;O’Neil&gt;&quot; &amp; %PUBLIC_URL%</a>'),
    text,
  )
  assert.ok(text.includes(`<i></i> ${url}/privacy`))
  assert.ok(text.includes(`https://elsewhere.example/?u=${encodeURIComponent(url)} <b>help@plate.example</b>`))
  assert.ok(text.includes(`100%OFF% %toString% %AA${url}/`))
  const packed = await get('/privacy', { 'accept-encoding': 'br' })
  assert.equal(brotliDecompressSync(packed.bytes).toString(), text)
})

test('files with a hash in their name are cached forever, others are revalidated', async () => {
  const FOREVER = 'public, max-age=31536000, immutable'
  assert.equal((await get('/assets/app-Ab12.js')).headers['cache-control'], FOREVER)
  assert.equal((await get('/assets/app-Ab12.js', { 'accept-encoding': 'br' })).headers['cache-control'], FOREVER)
  assert.equal((await get('/favicon.svg')).headers['cache-control'], 'no-cache')
  assert.equal((await get('/favicon.svg')).headers['content-type'], 'image/svg+xml')
  assert.equal((await get('/favicon.svg')).headers['x-content-type-options'], 'nosniff')
})

test('a page or file the browser already has is not sent again', async () => {
  for (const path of ['/login', '/favicon.svg']) {
    const first = await get(path)
    const again = await get(path, { 'if-none-match': String(first.headers.etag) })
    assert.deepEqual([again.status, again.bytes.length], [304, 0], path)
    // the weak tag that a compressing proxy makes of it, in a list of tags (RFC 9110 §13.1.2)
    const weak = await get(path, { 'if-none-match': `"another", W/${String(first.headers.etag).replace(/^W\//, '')}` })
    assert.deepEqual([weak.status, weak.headers.vary], [304, again.headers.vary], path)
    assert.equal((await get(path, { 'if-none-match': '"another"' })).status, 200)
  }
})

test('a page has an ETag for each encoding, and is sent when the browser has it in another encoding', async () => {
  const tags = new Map<string, string>()
  for (const coding of ['br', 'gzip', 'identity']) {
    const { headers } = await get('/login', { 'accept-encoding': coding })
    assert.match(String(headers.etag), /^"[\w-]+"$/)
    tags.set(coding, String(headers.etag))
  }
  assert.equal(new Set(tags.values()).size, 3)
  for (const [held, tag] of tags) {
    for (const coding of tags.keys()) {
      const again = await get('/login', { 'accept-encoding': coding, 'if-none-match': tag })
      assert.equal(again.status, held === coding ? 304 : 200, `has ${held}, accepts ${coding}`)
      assert.equal(again.headers.etag, tags.get(coding))
    }
  }
})

test('a known page with capitals, with /en, with index.html or with white space is found, with its query', async () => {
  const token = 'Ab-1_xYz'
  const id = '01A220E2-1B01-7622-90EB-4C1958D286B3'
  for (const [path, to] of [
    ['/Login', '/login'],
    ['/LOGIN/?next=%2FSend', '/login?next=%2FSend'],
    ['/FR/Login', '/fr/login'],
    ['/T', '/t'],
    [`/T/${token}`, `/t/${token}`],
    [`/Fr/T/${token}?x=1`, `/fr/t/${token}?x=1`],
    ['/en', '/'],
    ['/en/?a=b', '/?a=b'],
    ['/en/login', '/login'],
    ['/EN//', '/'],
    ['/index.html', '/'],
    ['/fr/index.html', '/fr'],
    ['/login/index.html?next=/send', '/login?next=/send'],
    ['/login%20', '/login'],
    ['/%20login%0d%0a?a=1', '/login?a=1'],
    ['/fr/%20login', '/fr/login'],
    ['/t/%20', '/t'],
    [`/t/${token}%20`, `/t/${token}`],
    [`/Admin/Inbox/Report/${id}`, `/admin/inbox/report/${id.toLowerCase()}`],
  ] as const) {
    const { status, headers } = await get(path)
    assert.deepEqual([status, headers['location']], [302, to], path)
    assert.equal((await get(to)).status, 200, to)
  }
})

test('no address leads to another site, or round in a circle', async () => {
  const elsewhere = '//evil //evil/index.html /en//evil /en//evil/login /EN/%5cevil /%20/evil /T/%0d%0aevil'.split(' ')
  for (const path of [...elsewhere, '/404/index.html', '/en/404', '/t/\u00e9%2F']) {
    const { status, headers } = await get(encodeURI(decodeURI(path)))
    if (status !== 302) assert.equal(status, path.startsWith('/t/') ? 200 : 404, path)
    else assert.match(String(headers.location), /^\/t\/[\w%-]+$/)
  }
})

test('icons and the change of the password are where browsers look for them unasked', async () => {
  for (const [path, name] of [
    ['/favicon.ico', 'icon-192.png'],
    ['/apple-touch-icon.png', 'icon-180.png'],
    ['/apple-touch-icon-precomposed.png', 'icon-180.png'],
  ] as const) {
    const { status, headers, text } = await get(path)
    assert.deepEqual([status, headers['content-type'], text], [200, 'image/png', name], path)
  }
  const { status, headers } = await get('/.well-known/change-password')
  assert.deepEqual([status, headers.location], [302, '/dashboard/profile/security'])
  const french = await get('/.well-known/change-password', { 'accept-language': 'fr-CA' })
  assert.equal(french.headers.location, '/fr/dashboard/profile/security')
  // by which password managers find out whether to trust that
  assert.equal(
    (await get('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200')).status,
    404,
  )
})

test('an unknown address gets the 404 page of its language with status 404, and its path is logged without the query', async () => {
  lines.length = 0
  const unknown = [
    ['/nowhere?secret=1', '404/index'],
    ['/fr/nulle-part', 'fr/404/index'],
    ['/french', '404/index'],
    ['/dashboard/nowhere', '404/index'],
    ['/404', '404/index'],
    ['/n/opened', '404/index'],
    ['/fr/en/login', 'fr/404/index'],
  ] as const
  for (const [path, name] of unknown) {
    const { status, text, headers } = await get(path)
    assert.deepEqual([status, text], [404, page(name)], path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  }
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'page not found')
  assert.deepEqual(
    fieldsOf(logged, 'path'),
    unknown.map(([path]) => path.split('?')[0]),
  )
  assert.ok(!lines.join('').includes('secret=1'))
})

test('what may be about a person in an unknown path stays out of the log', async () => {
  lines.length = 0
  const token = 'bXlzZWNyZXR0b2tlbmJ4eHh4eHh4eHh4eHh4eHh4eHh4'
  for (const path of [`/unsubscribe/${token}/x`, '/robin.roe@example.ca', '/send/ABCD123', '/reset%20robin'])
    await get(path)
  const log = lines.join('')
  for (const secret of [token, 'robin', 'example.ca', 'ABCD123']) assert.ok(!log.includes(secret), secret)
  assert.match(log, /"path":"\/send\/…"/)
})

test('nothing outside the pages is served, however its address is written', async () => {
  const addresses = `/../server.txt /../../secret.txt /assets/../../server.txt /%2e%2e/server.txt /..%2fserver.txt
    /%2e%2e%2fserver.txt /..%5cserver.txt /assets/..%2f..%2fserver.txt /%252e%252e%252fserver.txt /..%c0%afserver.txt
    //../server.txt /./../server.txt /login/index.html%00.js /server.txt /csp.json`
  for (const path of addresses.split(/\s+/)) {
    const { status, text, headers } = await get(path)
    assert.equal(status, 404, path)
    assert.ok(!text.includes(SECRET) && !text.includes('sha256'), path)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
})

test('an address that cannot be decoded gets 404, not an unexpected error', async () => {
  for (const path of ['/%', '/%zz', '/%ff', '/caf%e9', '/%f0%9f', '/login%']) {
    const { status, headers, text } = await get(path)
    assert.equal(status, 404, path)
    assert.ok(headers['content-security-policy'] && !text.includes('FST_'))
  }
  assert.equal((await get('/caf%c3%a9%20menu.txt')).text, 'bonjour')
})

test('a build that lacks pages is refused at the start', async () => {
  const broken = join(folder, 'broken')
  mkdirSync(join(broken, 'client'), { recursive: true })
  writeFileSync(join(broken, 'csp.json'), '{}')
  await assert.rejects(startSiblingServer(app.context, broken), /The build lacks/)
})

test('the cost of a path with many slashes is linear in its length', { timeout: 60_000 }, () => {
  const long = `${'/'.repeat(500_000)}a`
  assert.equal(pageFilePath(long), `${long}/index.html`)
})

test('a page asked for by its whole address, as proxies do, is the page', async () => {
  const [plain, absolute] = [await get('/login?next=/send'), await get(`${server.url}/login?next=/send`)]
  assert.deepEqual([absolute.status, absolute.text], [200, plain.text])
  for (const target of ['http://other.example', 'HTTPS://other.example?x=1']) {
    assert.equal((await get(target)).text, (await get('/')).text)
  }
  assert.equal((await get(`${server.url}/api/vehicles`)).status, 401)
  assert.equal((await get('http://http://x/login')).status, 404)
})
