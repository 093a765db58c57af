// Checks that every text exists in both languages with the same placeholders, every text a source uses exists, and every text is
// used: short ones (locales), pages (locales/legal), and those for guests in their ten languages (locales/guest). That
// is part of the build of the web app. Without --build it also reads the words of these texts (docs/glossary.md, apostrophes, no-break
// spaces, plural forms), and looks for texts that stand in code, or would have a plate or a name translated. Runs on the product's Node.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkCode } from './lib/check-code.mjs'
import { checkContent } from './lib/check-content.mjs'
import { checkGuestTexts } from './lib/check-guest-texts.mjs'
import { checkKept } from './lib/check-kept.mjs'
import { checkMessages } from './lib/check-messages.mjs'
import { checkWords } from './lib/check-words.mjs'

const root = join(import.meta.dirname, '..')
const locales = readdirSync(join(root, 'locales')).filter((name) => /^[a-z]{2}(?:-[A-Z]{2})?$/.test(name))
const isBuild = process.argv.includes('--build')
const results = [checkMessages(root), await checkContent(root, locales), await checkGuestTexts(root)]
// words are left out of the build, so that nobody has to wait for them to see a page
const words = isBuild ? { problems: [], count: 0 } : checkWords(root, locales)

const problems = [...results, words]
  .flatMap((part) => part.problems)
  .concat(isBuild ? [] : [...checkCode(root), ...checkKept(root)])
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
const count = results.reduce((sum, part) => sum + part.count, 0)
console.log(`${count} texts in ${locales.length} languages${isBuild ? '' : `, the words of ${words.count} read`}`)
