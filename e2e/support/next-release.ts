import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

const cspHash = (script: string) => createHash('sha256').update(script).digest('base64')
const inlineScripts = (html: string) =>
  [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(([, body]) => body ?? '')

/**
 * Makes the installation of a next release in a folder of its own: the same code, whose files in the browser all have other
 * names, so that those of the present build are gone. Returns the folder; `remove` deletes it.
 */
export function makeNextRelease() {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-release-'))
  for (const part of ['server/src', 'contract', 'locales', 'package.json', 'web/build']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: (file) => !/\.(br|gz)$/.test(file) })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  renameFiles(join(folder, 'web/build'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Gives every script of a build another name, wherever it is named, and allows the inline scripts that name them. */
function renameFiles(build: string) {
  const files = readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const scripts = files.filter((file) => /\/assets\/[^/]+\.js$/.test(file))
  const names = new RegExp(scripts.map((file) => basename(file, '.js').replaceAll('.', '\\.')).join('|'), 'g')
  const policies = join(build, 'csp.json')
  let csp = readFileSync(policies, 'utf8')
  for (const file of files.filter((name) => /\.(html|js)$/.test(name))) {
    const before = readFileSync(file, 'utf8')
    const after = before.replace(names, '$&-next')
    writeFileSync(file, after)
    if (!file.endsWith('.html')) continue
    const renamed = inlineScripts(after)
    inlineScripts(before).forEach((script, i) => {
      csp = csp.replaceAll(cspHash(script), cspHash(renamed[i]!))
    })
  }
  writeFileSync(policies, csp)
  for (const script of scripts) renameSync(script, script.replace(/\.js$/, '-next.js'))
}
