import { formatNoteCode, isNoteCode, NOTE_CODE_DIGITS, noteCodeDigits } from '#contract/note-code.ts'
import { displayPlate } from '#contract/plates.ts'
import type { PlainFormHooks } from '~/lib/plain-form/plain-form'
import { carryPlate } from '~/lib/registration/carried-plate'

/** Fills in the code that a QR code has in the fragment; it goes from the address, and so from the history, at once. */
function takeCode() {
  const code = document.querySelector<HTMLInputElement>('form input[name=code]:not([type=hidden])')
  const digits = code ? noteCodeDigits(decodeURIComponent(location.hash)) : ''
  if (!code || digits === '') return
  history.replaceState(history.state, '', location.pathname)
  if (code.value === '') code.value = formatNoteCode(digits)
  code.form?.querySelector<HTMLInputElement>('[name=plate]')?.focus()
}

// the note is carried to where its plate is registered, or added to the messages (notes/CarriedNote.tsx)
document.addEventListener('click', ({ target }) => {
  const { carryPlate: plate, carryCode: code } =
    (target as Element).closest<HTMLElement>('[data-carry-plate]')?.dataset ?? {}
  if (plate && code) carryPlate({ plate: displayPlate(plate), code: noteCodeDigits(code) })
})

/** What the pages of notes add to their forms (decision windshield-note): a digit that was copied wrongly is found before it counts as a try. */
export const noteForms: PlainFormHooks = {
  onPage: takeCode,
  findError({ name, type, value, dataset }) {
    if (name !== 'code' || type === 'hidden') return undefined
    const digits = noteCodeDigits(value)
    if (digits.length !== NOTE_CODE_DIGITS) return dataset['error']
    return isNoteCode(digits) ? undefined : dataset['mistake']
  },
}
