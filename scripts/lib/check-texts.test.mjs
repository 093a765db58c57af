import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findTexts } from './check-code.mjs'
import { findErrors, readGlossary } from './check-words.mjs'
import { root } from './root.mjs'

/** Copies the repository's texts and sources to a folder in which a test may break them. */
function copyWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-texts-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const parts = [
    'locales',
    'web/src',
    'contract/src',
    'server/src',
    'docs/glossary.md',
    'scripts/check-texts.mjs',
    'scripts/lib',
  ]
  for (const part of parts)
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (file) => !/paraglide$|compiled$/.test(file),
    })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const change = (file, from, to) => {
    const text = readFileSync(join(folder, file), 'utf8')
    assert.ok(text.includes(from), `${from} is in ${file}`)
    writeFileSync(join(folder, file), text.replace(from, to))
  }
  const write = (file, text) => writeFileSync(join(folder, file), text)
  const check = () => {
    const options = { cwd: folder, encoding: 'utf8' }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check-texts.mjs'], options)
    return { status, output: `${stdout}${stderr}` }
  }
  return { change, write, check }
}

const FRENCH_TERMS = 'locales/legal/fr-CA/terms.json'

test('what is missing in a language, differs, is used nowhere or is worded otherwise fails the check, be it short or long', () => {
  const { change, write, check } = copyWorkspace()
  change('locales/fr-CA/legal.json', '"legal_in_short":', '"legal_in_french":')
  change(FRENCH_TERMS, '"Vous pouvez supprimer votre compte quand vous le voulez."', '')
  change(FRENCH_TERMS, 'appelez le 911.",', 'appelez le 911."')
  change(FRENCH_TERMS, '"title": "Droit applicable"', '"title": " "')
  change('locales/fr-CA/legal.json', 'Dernière mise à jour\u00a0:', 'Dernière mise à jour :')
  change('locales/en/legal.json', '{', '{ "legal_spare": "Spare",')
  change('locales/fr-CA/legal.json', '{', '{ "legal_spare": "De trop",')
  for (const locale of ['en', 'fr-CA']) write(`locales/legal/${locale}/imprint.json`, '{ "title": "Imprint" }')
  change(FRENCH_TERMS, 'Écrivez à {support} ou utilisez', 'Écrivez-nous ou utilisez')
  change(FRENCH_TERMS, '{notificationChoices|profil}', '{profil}')
  change(FRENCH_TERMS, '**Litiges sur une plaque.**', 'Litiges sur une plaque.**')
  change('locales/guest/pa.json', '"tell_me":', '"tell_you":')
  change('locales/guest/ar.json', '"gone": "لم تعد هذه الرسالة هنا."', '"gone": ""')
  change('locales/guest/tl.json', '"until": "Narito ako hanggang {time}"', '"until": "Narito ako"')
  change('locales/guest/en.json', 'No reply yet', 'No answer yet')
  change('locales/en/contact.json', 'Is someone in danger?', 'Is somebody in danger?')
  change('locales/fr-CA/common.json', '"countPlural=many"', '"countPlural=few"')
  change(FRENCH_TERMS, 'appelez le 911', 'composez le 911')
  change('locales/fr-CA/refusals.json', 'Connectez-vous pour continuer.', 'Vous êtes connecté ailleurs.')
  change('locales/en/mails.json', 'Replying to this email reaches nobody.', 'Somebody reads this at once.')
  change('web/src/vehicle-people/queries.ts', 'verbatim(m.people_left({ plate }), plate)', 'm.people_left({ plate })')
  for (const locale of ['en', 'fr-CA']) change(`locales/${locale}/legal.json`, '{', '{ "legal_made": "{maker}",')
  const { status, output } = check()
  assert.equal(status, 1)
  assert.match(output, /vehicle-people\/queries\.ts:\d+ m\.people_left goes through verbatim/)
  assert.match(output, /legal_made: is \{maker\} translated/)
  assert.match(output, /legal_in_short has no French text/)
  assert.match(output, /terms\.json\.inShort\.3 has no text in fr-CA/)
  assert.match(output, /terms\.json\.sections\.governing-law\.title in fr-CA is empty/)
  assert.match(output, /legal_updated \(fr-CA\) needs a no-break space/)
  assert.match(output, /legal_spare is not used anywhere/)
  assert.match(output, /guest\/en\.json \(en\) says “no answer”/)
  assert.match(output, /legal\/en\/imprint\.json is not used anywhere/)
  assert.match(output, /legal\/fr-CA\/imprint\.json is not used anywhere/)
  assert.match(output, /terms\.json\.sections\.changes\.blocks\.1: the placeholders or bold words differ/)
  assert.match(output, /terms\.json\.sections\.privacy\.blocks\.1\.3 in fr-CA has an unknown placeholder \{profil\}/)
  assert.match(output, /terms\.json\.sections\.service-description\.blocks\.3 in fr-CA has an odd number of \*\*/)
  assert.match(output, /guest\/pa\.json: receipt\.tell_me has no text/)
  assert.match(output, /guest\/pa\.json: receipt\.tell_you is not in English/)
  assert.match(output, /guest\/ar\.json: receipt\.gone has no text/)
  assert.match(output, /guest\/tl\.json: the placeholders of tag\.until differ/)
  assert.match(output, /contact_danger \(en\) says “somebody”/)
  assert.match(output, /\(fr-CA\) has no form for “many”/)
  assert.match(output, /fr-CA\/terms\.json \(fr-CA\) says “composez le 911”/)
  assert.match(output, /refusal_signed_out \(fr-CA\) says “vous êtes connecté”/)
  assert.match(output, /mail_no_reply \(en\) says “at once”/)
})

const GLOSSARY = readGlossary(join(root, 'docs/glossary.md'))
const errorsOf = (text, language, options) => findErrors(text, language, GLOSSARY, options).join('\n')

test('words the glossary rejects are found in any case and as whole words only, and so is what is not typographic', () => {
  for (const [text, language, error] of [
    ['Somebody wrote to you.', 'en', /says “somebody”/],
    ['Your plate works\u00a0again.', 'en', /says “works again”/],
    ['Your driver’s licenses', 'en', /says “license/],
    ['Vous serez déconnecté.', 'fr-CA', /says “vous serez déconnecté”/],
    ["You can't.", 'en', /typographic/],
    ['Le motif : aucun', 'fr-CA', /no-break/],
    ['Au plus 5 000 caractères', 'fr-CA', /no-break/],
    ['Vraiment ?', 'fr-CA', /space before/],
    ['Le 1 mai 2026', 'fr-CA', /1er/],
    ['By 23:59 or 11 p.m.', 'en', /one form, 11:59 PM/],
    ['At 5pm', 'en', /one form/],
    ['Avant 23:59', 'fr-CA', /one form, 15 h 05/],
    ['Avant 17h', 'fr-CA', /one form/],
    ['Your plate, ABC 123', 'en', /without a space/],
  ])
    assert.match(errorsOf(text, language), error, text)
  for (const [text, language] of [
    ['Someone messaged you. Log in to reply by 11:59 PM, about ABC123. You’re signed in.', 'en'],
    ['License Plate', 'en'], // of the requirements
    ['Elle est égarée.', 'fr-CA'],
    ['Le 1er mai 2026, à 23\u00a0h\u00a059\u00a0: «\u00a0non\u00a0»', 'fr-CA'],
  ])
    assert.equal(errorsOf(text, language), '', text)
  // a page of text gets its no-break spaces when it is rendered
  assert.equal(errorsOf('Le motif : aucun', 'fr-CA', { spacedLater: true }), '')
})

test('a table of both languages and a sentence for people are found in code, and what operators and software read is not', () => {
  const find = (tree, source) => {
    const file = [tree, 'src', 'new.tsx'].join('/')
    return findTexts(file, source).map((problem) => problem.replace(`${file}:`, ''))
  }
  assert.deepEqual(find('server', "const TEXTS = { en: 'Sent', 'fr-CA': 'Sent' }"), ['1 has a table of languages'])
  assert.deepEqual(find('contract', "\nconst late = 'Trop tard, déjà réglé.'"), [
    '2 has a text: Trop tard, déjà réglé.',
  ])
  const page = '<p aria-label="The way back" className="grid gap-2">Hello {name}</p>'
  assert.deepEqual(find('web', page), ['1 has a text: The way back', '1 has a text: Hello'])
  assert.deepEqual(find('web', "throw new Error('This is for whoever mends it')"), [])
  assert.deepEqual(
    find('server', "fail('No tables: correct DATABASE_URL'); endpoint({ summary: 'A person’s data.' })"),
    [],
  )
})
