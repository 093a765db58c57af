import { ensureTestBrowsers } from '../../scripts/lib/browser.mjs'
import { ensureTestServer } from '../../server/src/test/postgres.ts'

/** Finds (or installs) the browsers and starts the PostgreSQL that the products of all workers share. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export
export default async function globalSetup(): Promise<void> {
  const TEST_DATABASE_URL = (await ensureTestServer()).url()
  Object.assign(process.env, await ensureTestBrowsers(), { TEST_DATABASE_URL })
}
