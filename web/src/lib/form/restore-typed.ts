import { asString, readDraftFields, saveDraft } from './drafts.ts'
import { TYPED } from './typed.ts'

/** Fills in what was typed before the reload. Not every browser does, and hydration finds it as if it had been typed early. */
function restoreTyped() {
  for (const [name, value] of Object.entries(readDraftFields(TYPED)))
    for (const field of document.getElementsByName(name) as NodeListOf<HTMLInputElement>)
      if (field.type === 'radio') field.checked = field.value === value
      else if (field.value === '') field.value = asString(value)
  saveDraft(TYPED, undefined)
}
if (!import.meta.env.SSR) restoreTyped()
