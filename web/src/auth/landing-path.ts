import { paths } from '#contract/paths.ts'
import { ownPath } from './own-path.ts'

/** Where somebody who signs in on this page goes: where they wanted to go before, else the dashboard. */
export const landingPath = (): string => ownPath(new URLSearchParams(location.search).get('next')) ?? paths.dashboard()
