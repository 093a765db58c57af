/*
 * Names the slots of a page with a plain form (decision forms-before-scripts): the build leaves `%FORM_NAME%` where the server fills in what was
 * typed, and what is wrong with it (server/src/http/form-page.ts). In development nobody fills them, so there are none.
 */

/** Returns a slot: the name is of capitals and underscores. */
export const slot = (name: string): string => (import.meta.env.SSR && import.meta.env.PROD ? `%FORM_${name}%` : '')

/** Returns the attributes of a field of a plain form: its name, the slot of what was typed, and that of what is wrong with it. */
export const plainField = (name: string) => ({
  name,
  defaultValue: slot(name.toUpperCase()),
  error: slot(`${name.toUpperCase()}_ERROR`),
})
