// npm run build: builds the web app into web/build, and the artefact that runs anywhere into dist, if their sources changed.

import { artefactArchive, ensureArtefact } from './lib/artefact.mjs'
import { runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { ensureBuilt } from './lib/web-build.mjs'

await runCommand(async () => {
  await ensureInstalled()
  if (!(await ensureBuilt())) process.stderr.write('The web app is up to date.\n')
  const isNew = await ensureArtefact()
  process.stderr.write(`The artefact is ${isNew ? 'made' : 'up to date'}: ${artefactArchive()}\n`)
})
