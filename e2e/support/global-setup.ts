import { ensureTestBrowsers } from '../../scripts/lib/browser.mjs'
import { globalSetup as startTestDatabase } from '../../server/src/test/global-setup.ts'

/** Finds (or installs) the browsers and starts the PostgreSQL that the products of all workers share. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export
export default async function globalSetup(): Promise<void> {
  Object.assign(process.env, await ensureTestBrowsers())
  await startTestDatabase()
}
