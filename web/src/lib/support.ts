/** Where people write to for help, and where owners send proof in a dispute over a plate. */
export const SUPPORT_EMAIL = 'support@platenote.ca'
