// Checks that every text exists in both languages with the same placeholders, every text a page uses exists, and every text is
// used: short ones (web/locales) and long ones (web/src/*/content). Part of the build of the web app. Runs on Node 26.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkContent } from './lib/check-content.mjs'
import { checkMessages } from './lib/check-messages.mjs'

const web = join(import.meta.dirname, '../web')
const settings = JSON.parse(readFileSync(join(web, 'project.inlang/settings.json'), 'utf8'))
const results = [checkMessages(web, settings), await checkContent(web, settings.locales)]

const problems = results.flatMap((part) => part.problems)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
const count = results.reduce((sum, part) => sum + part.count, 0)
console.log(`${count} texts in ${settings.locales.length} languages`)
