// node scripts/build-artefact.mjs <folder> <name>: writes the artefact (decision one-build) into <folder>/platenote, and beside it its
// archive, which unpacks into a folder of that name. Called by `npm run build`, which builds the web app before.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { serverFlags } from './lib/artefact.mjs'
import { root } from './lib/root.mjs'

const [folder, name] = process.argv.slice(2)
const out = join(folder, name)
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const write = (file, text) => {
  mkdirSync(dirname(join(out, file)), { recursive: true })
  writeFileSync(join(out, file), text)
}

/** Sources that no installation runs. */
const isLeftOut = (file) => /\.test\.ts$|^server\/src\/test\//.test(file)

/** Returns whether a package is the product's own Node. The artefact has none: its users bring a Node 24, as its image does. */
const isPackagedNode = (name) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name)

const withoutPackagedNode = (packages = {}) =>
  Object.fromEntries(Object.entries(packages).filter(([name]) => !isPackagedNode(name)))

/** The names of sources in imports, and of the one program that is started by its path. */
const sourceNames = /(\b(?:from|import)\s*\(?\s*'(?:\.{1,2}\/|#contract\/)[^']+|'image-process)\.ts'/g

// Types are taken out and nothing else: every line stays where it is, so that a stack trace names the line of the source.
for (const file of sources('{server,contract}/src/**/*.ts')) {
  const text = readFileSync(join(root, file), 'utf8')
  write(file.replace(/\.ts$/, '.js'), stripTypeScriptTypes(text).replace(sourceNames, "$1.js'"))
}
for (const file of sources('{server,contract}/src/**/*.{sql,json,gz,webp}')) write(file, readFileSync(join(root, file)))
for (const file of sources('locales/{compiled/**/*.js,guest/*.json}')) write(file, readFileSync(join(root, file)))
cpSync(join(root, 'web/build'), join(out, 'web/build'), { recursive: true })
for (const file of ['LICENSE', '.npmrc']) cpSync(join(root, file), join(out, file))
cpSync(join(root, 'scripts/artefact/platenote.mjs'), join(out, 'platenote.mjs'))

const manifest = artefactPackage(readJson('package.json'))
const writeJson = (file, value) => write(file, `${JSON.stringify(value, null, 2)}\n`)
writeJson('package.json', manifest)
writeJson('package-lock.json', artefactLock(readJson('package-lock.json'), manifest))

execFileSync('tar', ['-czf', `${name}.tar.gz`, name], { cwd: folder })
renameSync(out, join(folder, 'platenote'))

function sources(pattern) {
  return globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !isLeftOut(file))
    .sort()
}

/** Returns the artefact's package.json. */
function artefactPackage(own) {
  const { name, version, description, license, imports, dependencies } = own
  return {
    name,
    version,
    private: true,
    description,
    license,
    type: 'module',
    engines: { node: '>=24' },
    imports,
    bin: { platenote: 'platenote.mjs' },
    scripts: { start: ['node', ...serverFlags, 'platenote.mjs', 'start'].join(' ') },
    dependencies,
    optionalDependencies: withoutPackagedNode(own.optionalDependencies),
  }
}

/** Returns the artefact's package-lock.json: the locked packages that production needs, with the same sums. */
function artefactLock(lock, manifest) {
  const packages = Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && !isPackagedNode(path.replace('node_modules/', '')))
    .map(([path, { devOptional, ...entry }]) => [path, devOptional ? { ...entry, optional: true } : entry])
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = manifest
  const root = { name, version, license, dependencies, bin, engines, optionalDependencies }
  const { lockfileVersion } = lock
  return { name, version, lockfileVersion, requires: true, packages: { '': root, ...Object.fromEntries(packages) } }
}
