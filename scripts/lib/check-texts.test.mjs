import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { root } from './root.mjs'

const folders = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Copies the repository's texts and sources to a folder in which a test may break them. */
function copyWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-texts-'))
  folders.push(folder)
  const parts = ['web/locales', 'web/project.inlang/settings.json', 'web/src', 'scripts/check-texts.mjs', 'scripts/lib']
  for (const part of parts)
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (file) => !file.endsWith('paraglide') })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const change = (file, from, to) => {
    const text = readFileSync(join(folder, file), 'utf8')
    assert.ok(text.includes(from), `${from} stands in ${file}`)
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

const FRENCH_TERMS = 'web/src/legal/content/fr-CA/terms.ts'

test('the texts are complete', () => {
  const { status, output } = copyWorkspace().check()
  assert.equal(status, 0, output)
})

test('a text that is missing in French fails the check, be it short or long', () => {
  const { change, check } = copyWorkspace()
  change('web/locales/fr-CA/legal.json', '"legal_in_short":', '"legal_in_french":')
  change(FRENCH_TERMS, "'PlateNote est gratuit. Il faut un compte et avoir au moins 13 ans.',", '')
  change(FRENCH_TERMS, "title: 'Droit applicable',", "title: ' ',")
  const { status, output } = check()
  assert.equal(status, 1)
  assert.match(output, /legal_in_short has no French text/)
  assert.match(output, /terms\.ts\.terms\.inShort\.3 has no text in fr-CA/)
  assert.match(output, /terms\.ts\.terms\.sections\.governing-law\.title in fr-CA is empty/)
})

test('a French colon or guillemet that may stand alone on a line fails the check', () => {
  const { change, check } = copyWorkspace()
  change('web/locales/fr-CA/legal.json', 'Dernière mise à jour\u00a0:', 'Dernière mise à jour :')
  const { status, output } = check()
  assert.equal(status, 1)
  assert.match(output, /legal_updated: the French text needs a no-break space/)
})

test('a text that no page asks for fails the check, be it short or long', () => {
  const { change, write, check } = copyWorkspace()
  change('web/locales/en/legal.json', '{', '{ "legal_spare": "Spare",')
  change('web/locales/fr-CA/legal.json', '{', '{ "legal_spare": "De trop",')
  for (const locale of ['en', 'fr-CA'])
    write(`web/src/legal/content/${locale}/imprint.ts`, "export const imprint = { title: 'Imprint' }")
  const { status, output } = check()
  assert.equal(status, 1)
  assert.match(output, /legal_spare is not used anywhere/)
  assert.match(output, /legal\/content\/en\/imprint\.ts is not used anywhere/)
  assert.match(output, /legal\/content\/fr-CA\/imprint\.ts is not used anywhere/)
})

test('a long text says the same in both languages: placeholders and bold words', () => {
  const { change, check } = copyWorkspace()
  change(FRENCH_TERMS, 'Écrivez à {support} ou utilisez', 'Écrivez-nous ou utilisez')
  change(FRENCH_TERMS, '{profile|profil}', '{profil}')
  change(FRENCH_TERMS, '**Litiges sur une plaque.**', 'Litiges sur une plaque.**')
  const { status, output } = check()
  assert.equal(status, 1)
  assert.match(output, /terms\.sections\.changes\.blocks\.1: the placeholders or bold words differ/)
  assert.match(output, /terms\.sections\.privacy\.blocks\.1\.3 in fr-CA has an unknown placeholder \{profil\}/)
  assert.match(output, /terms\.sections\.service-description\.blocks\.3 in fr-CA has an odd number of \*\*/)
})
