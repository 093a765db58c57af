import { ensureBrowser } from '../../scripts/lib/browser.mjs'
import { globalSetup as startTestDatabase } from '../../server/src/test/global-setup.ts'

/** Finds (or installs) a browser and starts the PostgreSQL that the products of all workers share. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export
export default async function globalSetup(): Promise<void> {
  process.env['CHROMIUM_PATH'] = await ensureBrowser()
  await startTestDatabase()
}
