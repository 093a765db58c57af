// node run.mjs <program> [arguments]: runs one of PlateNote's programs (main, cli/backup …) with the settings of .env, if there
// is one beside this file; the environment goes before it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { pathToFileURL } from 'node:url'

const [program = 'main', ...given] = process.argv.slice(2)
const file = join(import.meta.dirname, 'server/src', `${program}.js`)

if (Number.parseInt(process.versions.node, 10) < 24) fail(`Node 24 or newer is needed; this is ${process.version}.`)
if (!existsSync(join(import.meta.dirname, 'node_modules')) && !isInstalledAbove())
  fail('the packages are missing; run npm ci --omit=dev in this folder.')
if (!/^(?:main|cli\/[a-z-]+)$/.test(program) || !existsSync(file)) fail(`there is no program ${program}.`)

const settings = join(import.meta.dirname, '.env')
if (existsSync(settings)) loadEnvFile(settings)
process.argv.splice(1, 2, file)
process.argv.splice(2, process.argv.length, ...given)
await import(pathToFileURL(file).href)

/** Returns whether a folder above has the packages: that of a repository in which the artefact was built. */
function isInstalledAbove() {
  return existsSync(join(import.meta.dirname, '../../node_modules/fastify'))
}

function fail(why) {
  process.stderr.write(`PlateNote: ${why}\n`)
  process.exit(1)
}
