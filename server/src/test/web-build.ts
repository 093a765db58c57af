import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The pages a build has besides those that are asked for. */
const ALWAYS = ['/404', '/fr/404', '/contact-us/again', '/fr/contact-us/again']

/** Writes a build of the web app in a folder of its own: a page for each of these paths, and one script. */
export function writeWebBuild(paths: string[]) {
  const root = mkdtempSync(join(tmpdir(), 'platenote-build-'))
  const page = (path: string) => `<!doctype html><title>${path}</title>`
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const path of [...paths, ...ALWAYS]) write(join('client', path, 'index.html'), page(path))
  write('client/assets/app.js', 'console.log(1)')
  write('csp.json', '{}')
  return { root, page, remove: () => rmSync(root, { recursive: true, force: true }) }
}
