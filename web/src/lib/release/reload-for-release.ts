import { saveDraft } from '~/lib/form/drafts'
import { TYPED } from '~/lib/form/restore-typed'

/*
 * A page that stays open over a release asks for files that are gone. layouts/load-pages-first.ts has what follows for links, and
 * brings this file along as soon as the page is loaded: later it may be gone itself.
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

/** Neither passwords nor codes, and no consent: the terms may be others now. */
const TYPED_FIELDS =
  'input[type=email], input[type=text]:not([autocomplete=one-time-code]), input[type=radio]:checked, select, textarea'
