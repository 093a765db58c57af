// npm start: installs and builds what is missing or changed, then serves. In production it serves what `npm run build` made,
// and installs and builds nothing. Progress goes to stderr; stdout is the server's.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { artefactFolder, hasArtefact, isArtefactFresh, serverFlags } from './lib/artefact.mjs'
import { CliError, runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { childEnvironment, envFileFlags, nodeBinary } from './lib/node-runtime.mjs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'
import { ensureBuilt } from './lib/web-build.mjs'

// as in the server: progress that cannot be printed is no reason not to start
process.stderr.on('error', () => {})

await runCommand(async () => {
  const program = isProduction() ? findArtefact() : await prepareSources()
  const args = [...envFileFlags(), ...program, ...process.argv.slice(2)]
  process.exitCode = await runInForeground(nodeBinary(), args, { cwd: root, env: childEnvironment() })
})

async function prepareSources() {
  await ensureInstalled()
  await ensureBuilt()
  return ['server/src/main.ts']
}

function findArtefact() {
  if (!hasArtefact())
    throw new CliError(
      'PlateNote is not built. With NODE_ENV=production npm start installs and builds nothing: run npm run build first, or unpack an artefact that was built elsewhere.',
    )
  if (!existsSync(join(root, 'node_modules/fastify')))
    throw new CliError('the packages are not installed. Run npm ci --omit=dev, then start again.')
  if (!isArtefactFresh())
    process.stderr.write('PlateNote: the sources have changed since the build, which is what starts now.\n')
  return [...serverFlags, join(artefactFolder, 'platenote.mjs'), 'start']
}

/** Returns whether NODE_ENV says so, in the environment or else in .env, as for the server itself. */
function isProduction() {
  if (process.env.NODE_ENV !== undefined) return process.env.NODE_ENV === 'production'
  const file = join(root, '.env')
  return (
    existsSync(file) && /^\s*(?:export\s+)?NODE_ENV\s*=\s*(["']?)production\1\s*$/m.test(readFileSync(file, 'utf8'))
  )
}
