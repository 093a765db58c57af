import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** Returns the sources in web/src that are not generated, by their paths below it (with /). */
export function readSources(web) {
  const src = join(web, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('paraglide/'))
  return new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))
}
