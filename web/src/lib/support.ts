/** Where people write to for help, and where owners send proof in a dispute over a plate. */
export const SUPPORT_EMAIL = 'support@platenote.ca'

/** A link that begins a mail to them. */
export const mailTo = (subject: string): string => `mailto:${SUPPORT_EMAIL}?subject=${encodeURIComponent(subject)}`
