// chunk: base (every page with an address, for visitors and admins)

/** Maximum length of a full name, in UTF-16 code units. */
export const FULL_NAME_MAX = 100

/** A user of the auth protocol, as far as it says how to show the address. */
type ShownUser = { email?: string | undefined; app_metadata: { [key: string]: unknown; shown_email?: string } }

/** Returns a user's address as they typed it; `email` has the ASCII form of its domain. */
export const shownEmail = ({ email = '', app_metadata }: ShownUser): string => app_metadata.shown_email ?? email

/** How long a second factor counts as fresh, in seconds: required of admins for what cannot be undone. */
export const FRESH_FACTOR_S = 10 * 60
