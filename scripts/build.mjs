// npm run build: the web app into web/build, if its sources changed.
import { ensureInstalled } from './lib/install.mjs'
import { command } from './lib/stop.mjs'
import { ensureBuilt } from './lib/web-build.mjs'

await command(async () => {
  await ensureInstalled()
  const built = await ensureBuilt()
  if (!built) process.stderr.write('The web app is up to date.\n')
})
