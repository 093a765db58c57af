import { asString, readDraftFields, saveDraft } from './drafts.ts'

/*
 * A page that stays open over a release asks for files that are gone. layouts/load-pages-first.ts has what follows for links.
 */

declare global {
  interface Window {
    /** React Router's list of pages, whose name changes with every release that changes a file. */
    __reactRouterManifest?: { url: string; routes: Record<string, { module: string } | undefined> }
  }
}

/** Never ends: the page is being left. */
export const leaving = () => new Promise<never>(() => {})

/**
 * Reloads the page when code for what the user just did cannot be loaded because the server has another release by now. Returns
 * otherwise: without a connection, with the same release, or when nobody did anything and somebody may be typing.
 */
export async function reloadForRelease(): Promise<void> {
  if (navigator.userActivation?.isActive === false) return
  const page = await fetch(location.href, { cache: 'no-store' }).catch(() => null)
  const present = window.__reactRouterManifest?.url
  if (!page?.ok || !present || (await page.text()).includes(present)) return
  const fields = [...document.querySelectorAll<Field>(TYPED_FIELDS)]
  saveDraft(TYPED, Object.fromEntries(fields.map(({ name, value }) => [name, value])))
  location.reload()
  await leaving()
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Where what was typed waits for the page to be loaded again. */
const TYPED = 'typed'
/** Neither passwords nor codes, and no consent: the terms may be others now. */
const TYPED_FIELDS =
  'input[type=email], input[type=text]:not([autocomplete=one-time-code]), input[type=radio]:checked, select, textarea'

/** Fills in what was typed before the reload. Not every browser does, and hydration finds it as if it had been typed early. */
function restoreTyped() {
  for (const [name, value] of Object.entries(readDraftFields(TYPED)))
    for (const field of document.getElementsByName(name) as NodeListOf<HTMLInputElement>)
      if (field.type === 'radio') field.checked = field.value === value
      else if (field.value === '') field.value = asString(value)
  saveDraft(TYPED, undefined)
}
if (!import.meta.env.SSR) restoreTyped()
