// npm run verify:binaries [-- --write]: compares the repackaged Node and PostgreSQL of every platform with what their
// publishers offer. Downloads each package from the npm registry, checks it against package-lock.json and
// scripts/binary-sums.json, then downloads the publisher's archive, checks it against the publisher's own sum, and compares
// each program in it. --write keeps the sums of packages that are new. Needs a network, tar and xz.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { comparePackage, listPinned, readRecordedSums, sumPackage, sumsFile } from './lib/binary-sums.mjs'
import { CliError, runCommand } from './lib/cli-error.mjs'
import { capture } from './lib/process.mjs'
import { compareWithPublisher, publisherOf, unpackTar } from './lib/publishers.mjs'

await runCommand(async () => {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
  const work = mkdtempSync(join(tmpdir(), 'platenote-binaries-'))
  const recorded = readRecordedSums()
  const pinned = listPinned()
  let [isDifferent, isUnreachable] = [false, false]
  try {
    for (const [pin, integrity] of Object.entries(pinned)) {
      const folder = join(work, 'package')
      await unpackFromRegistry(pin, integrity, work, folder)
      if (values.write && recorded[pin]?.integrity !== integrity) recorded[pin] = { integrity, ...sumPackage(folder) }
      const differing = recorded[pin]
        ? comparePackage(folder, recorded[pin])
        : ['no sums are recorded; run with --write']
      console.log(`${pin}\n  as recorded: ${describe(differing)}`)
      const publisher = publisherOf(pin)
      const result = await compareWithPublisher(folder, publisher, join(work, 'publisher'))
      console.log(`  as in ${publisher.archive}: ${result.reachable ? describe(result.differing) : 'not reachable'}`)
      isDifferent ||= differing.length > 0 || (result.reachable && result.differing.length > 0)
      isUnreachable ||= !result.reachable
      rmSync(folder, { recursive: true })
    }
    if (values.write) {
      const entries = Object.keys(pinned).map((pin) => [pin, recorded[pin]])
      writeFileSync(sumsFile, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  if (isDifferent) throw new CliError('a program is not what it should be; see above.')
  if (isUnreachable) throw new CliError('not every publisher could be reached: what they publish was not compared.')
})

function describe(differing) {
  return differing.length === 0 ? 'yes' : `NO: ${differing.join(', ')}`
}

async function unpackFromRegistry(pin, integrity, work, folder) {
  const { code, output } = await capture('npm', ['pack', '--silent', '--pack-destination', work, pin])
  if (code !== 0) throw new CliError(`${pin} could not be downloaded:\n${output}`)
  const archive = join(work, output.trim().split('\n').at(-1))
  const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (sum !== integrity) throw new CliError(`${pin} is not the package of package-lock.json.`)
  await unpackTar(archive, folder)
  rmSync(archive)
}
