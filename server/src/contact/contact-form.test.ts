import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { postForm } from '../test/post-form.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

/** Like the built page; the texts of the two languages differ. */
const formPage = (language: string) => `<!doctype html><html lang="${language}"><title>${language}</title>
<p role="alert">%FORM_ERROR%</p><input name="name" value="%FORM_NAME%" aria-invalid="%FORM_NAME_INVALID%"><p id="n">%FORM_NAME_ERROR%</p>
<input name="email" value="%FORM_EMAIL%"><p id="e">%FORM_EMAIL_ERROR%</p><select name="subject"><option value=""></option>
<option value="technical-support">T</option><option value="partnership">P</option></select><p id="s">%FORM_SUBJECT_ERROR%</p>
<textarea name="message">%FORM_MESSAGE%</textarea><p id="m">%FORM_MESSAGE_ERROR%</p><i>%FORM_WAIT_MINUTES%</i><a>%SUPPORT_EMAIL%</a>`

const root = temporaryFolder('platenote-form-')
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
for (const folder of ['', 'fr/']) {
  put(`client/${folder}404/index.html`, 'missing')
  for (const page of ['answer', 'n', 'n/opened', 'n/gone', 't', 't/one', 'r'])
    put(`client/${folder}${page}/index.html`, page)
  put(`client/${folder}contact-us/index.html`, formPage(folder === '' ? 'en' : 'fr-CA'))
}
const SCRIPT = "'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='"
put('csp.json', JSON.stringify({ '/contact-us/index.html': { scripts: [SCRIPT], styles: [] } }))

const app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1' } })
const server = await startSiblingServer(app.context, root)
const strict = await startSiblingServer({ ...app.context, config: { ...app.config, LIMIT_SCALE: 1 } }, root)

const TYPED = { name: 'Zoé', email: 'zoe@example.com', subject: 'partnership', message: 'Bonjour' }
/** Posts the form as a browser without scripts does. */
const post = (path: string, fields: Record<string, string>, { url } = server, ip = '203.0.113.1', headers = {}) =>
  postForm(url + path, fields, {
    ...{ 'x-forwarded-for': ip, 'accept-language': 'en', origin: 'http://platenote.test' },
    ...headers,
  })
const messages = () => app.db`select from outbox where kind = 'contact'`

test('the page has an empty form, to be kept as any page', async () => {
  const response = await fetch(`${server.url}/contact-us`)
  assert.equal(response.headers.get('cache-control'), 'no-cache')
  const text = await response.text()
  assert.match(
    text,
    /<title>en<[\s\S]*<p role="alert"><\/p><input name="name" value="" aria-invalid=""><p id="n"><\/p>/,
  )
  assert.doesNotMatch(text, /FORM_|selected/)
})

test('a form is accepted, and leads to the page that says so in its language', async () => {
  const english = await post('/contact-us', TYPED)
  assert.deepEqual([english.status, english.headers.get('location')], [303, '/contact-us/sent'])
  const french = await post('/fr/contact-us', { ...TYPED, subject: 'media-press', message: 'a\r\nb' })
  assert.deepEqual([french.status, french.headers.get('location')], [303, '/fr/contact-us/sent'])
  const mails = await app.mails(app.config.SUPPORT_EMAIL, 2)
  const find = (topic: string) => mails.find(({ subject }) => subject === `Contact form: ${topic}`)
  assert.match(find('Partnership')?.text ?? '', /^> Bonjour$/m)
  assert.match(find('Media and press (Médias et presse)')?.text ?? '', /^> a\n> b$/m)
})

test('a French form gets a French response, whatever the browser prefers', async () => {
  const { status, text, headers } = await post('/fr/contact-us', {})
  assert.deepEqual([status, headers.get('cache-control')], [400, 'no-store'])
  assert.match(
    text,
    /lang="fr-CA"><title>Veuillez vérifier votre saisie\. fr-CA<[\s\S]*"alert">Veuillez vérifier votre saisie\./,
  )
  assert.match(text, /name="name" value="" aria-invalid="true"/)
  assert.match(
    text,
    /<p id="n">Veuillez entrer votre nom\.<[\s\S]*<p id="s">Veuillez choisir un sujet\.<[\s\S]*Veuillez écrire un message\./,
  )
})

test('what was typed comes back as text: it creates no markup and fills no placeholder', async () => {
  const nasty = '</textarea><script>alert(1)</script> "quoted" %FORM_EMAIL% $& %SUPPORT_EMAIL%'
  const { text } = await post('/contact-us', {
    name: '"><img src=x onerror=alert(1)>',
    email: `'"><b>`,
    subject: '"><i>',
    message: nasty,
  })
  assert.doesNotMatch(text, /<script>|<img|<b>|<i>[^<]|selected/)
  assert.match(
    text,
    /&lt;\/textarea&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt; &quot;quoted&quot; %FORM_EMAIL% \$&amp; %SUPPORT_EMAIL%</,
  )
  const { text: chosen } = await post('/contact-us', { ...TYPED, name: '' })
  assert.match(chosen, /<option value="technical-support">T<\/option><option value="partnership" selected="">/)
})

test('over the limit, which the form shares with /send-email, the page says when to retry and keeps what was typed', async () => {
  const json = (message: string): Promise<Response> =>
    fetch(`${strict.url}/send-email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.2' },
      body: JSON.stringify({ type: 'contact', ...TYPED, message }),
    })
  // what is refused for its fields does not count
  for (let i = 0; i < 7; i++) assert.equal((await post('/contact-us', {}, strict, '203.0.113.2')).status, 400)
  for (const message of ['a', 'b', 'c']) {
    assert.equal((await post('/contact-us', { ...TYPED, message }, strict, '203.0.113.2')).status, 303)
  }
  for (const message of ['d', 'e']) assert.equal((await json(message)).status, 200)
  const response = await post('/contact-us', { ...TYPED, message: 'Bonjour encore' }, strict, '203.0.113.2')
  assert.equal(response.status, 429)
  assert.ok(Number(response.headers.get('retry-after')) > 3_000)
  assert.match(response.text, /<i>6[01]<\/i>/)
  assert.match(response.text, /role="alert">You’ve contacted us several times/)
  assert.match(response.text, />Bonjour encore<\/textarea>/)
})

test('another site can neither make its visitors write to us nor use up their limit', async () => {
  const before = (await messages()).length
  const from = (site: string, origin = app.config.PUBLIC_URL) =>
    post('/contact-us', { ...TYPED, name: site }, strict, '203.0.113.4', { 'sec-fetch-site': site, origin })
  for (const site of ['cross-site', 'same-site']) {
    for (let i = 0; i < 5; i++) {
      const { status, text } = await from(site, 'http://shop.platenote.test')
      assert.equal(status, 403, site)
      assert.match(text, /role="alert">This came from another site\.[\s\S]*>Bonjour<\/textarea>/)
    }
  }
  assert.equal((await messages()).length, before)
  for (const site of ['same-origin', 'none']) assert.equal((await from(site)).status, 303, site)
  assert.equal((await messages()).length, before + 2)
})

test('after an unexpected error the form comes back with what was typed', async (t) => {
  await app.db`alter table contact_submissions rename to away`
  t.after(() => app.db`alter table away rename to contact_submissions`)
  const response = await post('/contact-us', { ...TYPED, message: 'Not lost' })
  assert.equal(response.status, 500)
  assert.match(response.text, /Something went wrong on our side[\s\S]*>Not lost<\/textarea>/)
})

test('the largest possible form is accepted, and one that is too long comes back complete', async () => {
  const largest = { name: '🚗'.repeat(100), message: '🚗'.repeat(5_000) }
  assert.equal((await post('/contact-us', { ...TYPED, ...largest })).status, 303)
  const message = '🚗'.repeat(20_000)
  const longer = await post('/contact-us', { ...TYPED, message })
  assert.equal(longer.status, 400)
  assert.match(longer.text, /<p id="m">At most 5,000 characters\.<\/p>/)
  assert.ok(longer.text.includes(`>${message}</textarea>`))
})

test('what cannot be read comes back as an empty form, which says so', async () => {
  const large = new URLSearchParams({ ...TYPED, message: '🚗'.repeat(25_000) })
  for (const [path, body, status, said] of [
    ['/contact-us', large, 413, 'That’s too large.'],
    ['/fr/contact-us', large, 413, 'Le contenu est trop volumineux.'],
    ['/contact-us', JSON.stringify(TYPED), 415, 'That couldn’t be read'],
  ] as const) {
    const response = await fetch(server.url + path, { method: 'POST', body })
    const text = await response.text()
    assert.deepEqual([response.status, response.headers.get('cache-control')], [status, 'no-store'])
    assert.ok(text.includes(said), text)
    assert.match(text, /><\/textarea>/)
    assert.doesNotMatch(text, /🚗/)
  }
})
