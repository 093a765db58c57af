import { ensureTestServer } from './postgres.ts'

/** Starts the PostgreSQL that all test files of one run share, unless `TEST_DATABASE_URL` names one already. */
export async function globalSetup(): Promise<void> {
  process.env['TEST_DATABASE_URL'] = (await ensureTestServer()).url()
}
