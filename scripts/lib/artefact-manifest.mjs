// Derives package.json and package-lock.json of the artefact from the repository's.

/** Returns whether a package is the product's own Node. The artefact has none: its users bring a Node 24, as its image does. */
const isPackagedNode = (name) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name)

/** What the artefact can run besides the server, by the file below server/src; `npm run backup -- <folder>` and so on. */
export const artefactCommands = {
  'db:migrate': 'cli/migrate',
  admin: 'cli/admin',
  mails: 'cli/mails',
  'rotate-keys': 'cli/rotate-keys',
  backup: 'cli/backup',
  restore: 'cli/restore',
  doctor: 'cli/doctor',
}

/** Half of V8's default for young objects: 15 MiB less while nobody asks anything, and no slower with what a request needs. */
export const serverFlags = ['--max-semi-space-size=8']

const withoutPackagedNode = (packages = {}) =>
  Object.fromEntries(Object.entries(packages).filter(([name]) => !isPackagedNode(name)))

/** Returns the artefact's package.json. */
export function artefactPackage(own) {
  const { name, version, description, license, imports, dependencies } = own
  const commands = Object.entries(artefactCommands).map(([name, program]) => [name, `node run.mjs ${program}`])
  return {
    name,
    version,
    private: true,
    description,
    license,
    type: 'module',
    engines: { node: '>=24' },
    imports,
    scripts: { start: ['node', ...serverFlags, 'run.mjs', 'main'].join(' '), ...Object.fromEntries(commands) },
    dependencies,
    optionalDependencies: withoutPackagedNode(own.optionalDependencies),
  }
}

/** Returns the artefact's package-lock.json: the locked packages that production needs, with the same sums. */
export function artefactLock(lock, manifest) {
  const packages = Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && !isPackagedNode(path.replace('node_modules/', '')))
    .map(([path, { devOptional, ...entry }]) => [path, devOptional ? { ...entry, optional: true } : entry])
  const { name, version, license, engines, dependencies, optionalDependencies } = manifest
  const root = { name, version, license, dependencies, engines, optionalDependencies }
  const { lockfileVersion } = lock
  return { name, version, lockfileVersion, requires: true, packages: { '': root, ...Object.fromEntries(packages) } }
}
