import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'

/** Where the link of a confirmation mail leads: the page in the language it was asked for in. */
export const verifyEmailUrl = (): string => location.origin + href(paths.verifyEmail())
