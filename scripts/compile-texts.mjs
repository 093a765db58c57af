// node scripts/compile-texts.mjs <folder>: compiles the texts of the server and the contract (locales/server.inlang) into functions,
// `m.key({…}, { locale })`. Run by `ensureTexts` (scripts/lib/texts.mjs). The web app compiles its own with its build.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from '@inlang/paraglide-js'
import { root } from './lib/root.mjs'

const [folder] = process.argv.slice(2)
await compile({
  project: join(root, 'locales/server.inlang'),
  outdir: folder,
  outputStructure: 'locale-modules', // two files: a thousand small ones would take the start 0.2 s
  strategy: ['globalVariable'], // which nobody sets: a server that speaks to many has no language of its own
  disableAsyncLocalStorage: true,
  emitTsDeclarations: false,
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
})
const index = join(folder, 'messages/_index.js')
const optional = 'options?: { locale?:'
const source = readFileSync(index, 'utf8')
if (!source.includes(optional)) throw new Error('Paraglide writes the types of its functions differently now')
// who forgets the language is told by the types
writeFileSync(index, source.replaceAll(optional, 'options: { locale:').replaceAll('(inputs?: ', '(inputs: '))
