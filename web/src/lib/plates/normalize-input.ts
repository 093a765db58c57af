import { displayPlate, PLATE_TYPED_MAX } from '#contract/plates.ts'

/** Returns the beginning of a plate as it is shown: with a hyphen at its end, which more may follow. */
const displayBeginning = (typed: string): string => displayPlate(`${typed}X`).slice(0, -1)

/** Rewrites what is typed into a plate's field as it will be stored, and keeps the caret in place; not what is still composed. */
export function normalizePlateInput(input: HTMLInputElement, event: Event) {
  if ((event as InputEvent).isComposing) return
  const normalized = displayBeginning(input.value).slice(0, PLATE_TYPED_MAX)
  if (normalized === input.value) return
  const caret = displayBeginning(input.value.slice(0, input.selectionStart ?? input.value.length)).length
  input.value = normalized
  input.setSelectionRange(caret, caret)
}
