// Every text exists in both languages with the same placeholders, every text a page asks for exists, and every text is
// asked for: short ones (web/locales) and long ones (web/src/*/content). Part of the build of the web app. Runs on Node 26.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { longTexts } from './lib/long-texts.mjs'
import { shortTexts } from './lib/short-texts.mjs'

const web = join(import.meta.dirname, '../web')
const settings = JSON.parse(readFileSync(join(web, 'project.inlang/settings.json'), 'utf8'))
const found = [shortTexts(web, settings), await longTexts(web, settings.locales)]

const complaints = found.flatMap((part) => part.complaints)
for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) process.exit(1)
const count = found.reduce((sum, part) => sum + part.count, 0)
console.log(`${count} texts in ${settings.locales.length} languages`)
