import { saveDraft } from './drafts.ts'

/** Where what was typed waits for the page to be loaded again. */
export const TYPED = 'typed'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Neither passwords nor codes, and no consent: the terms may be others now. */
const TYPED_FIELDS =
  'input[type=email], input[type=text]:not([autocomplete=one-time-code]), input[type=radio]:checked, select, textarea'

/** Keeps what was typed for the page that is loaded next (restore-typed.ts). */
export function saveTyped() {
  const fields = Array.from(document.querySelectorAll<Field>(TYPED_FIELDS))
  saveDraft(TYPED, Object.fromEntries(fields.map(({ name, value }) => [name, value])))
}
