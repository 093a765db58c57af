/** The first part of the key of every query of the admin area: what leaving it forgets. */
export const ADMIN_QUERY_KEY = 'admin'
