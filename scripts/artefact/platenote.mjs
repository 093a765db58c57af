#!/usr/bin/env node
// platenote <command>, in the artefact and in the image, with the settings of .env, if there is one beside this file; the
// environment goes before it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'

if (Number.parseInt(process.versions.node, 10) < 24) fail(`Node 24 or newer is needed; this is ${process.version}.`)
if (!existsSync(join(import.meta.dirname, 'node_modules')) && !isInstalledAbove())
  fail('the packages are missing; run npm ci --omit=dev in this folder.')

const settings = join(import.meta.dirname, '.env')
if (existsSync(settings)) loadEnvFile(settings)
await import('./server/src/cli/platenote.js')

/** Returns whether a folder above has the packages: that of a repository in which the artefact was built. */
function isInstalledAbove() {
  return existsSync(join(import.meta.dirname, '../../node_modules/fastify'))
}

function fail(why) {
  process.stderr.write(`PlateNote: ${why}\n`)
  process.exit(1)
}
