import { paths } from '#contract/paths.ts'
import { safeRedirect } from './safe-redirect.ts'

/** Where somebody who signs in on this page goes: where they wanted to go before, else the dashboard. */
export const redirectTarget = (): string =>
  safeRedirect(new URLSearchParams(location.search).get('next')) ?? paths.dashboard()
