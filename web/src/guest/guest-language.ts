import {
  GUEST_LANGUAGE_FACTS,
  GUEST_LANGUAGES,
  type GuestLanguage,
  guestLanguageOf,
} from '#contract/guest-languages.ts'
import type { GuestTexts } from '#contract/guest-texts.ts'
import { texts as english } from '#contract/guest-texts-en.ts'
import { texts as french } from '#contract/guest-texts-fr.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { browserStore } from '~/lib/page/storage'
import { createStore } from '~/lib/page/store'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'

/** The form of a guest page: the language select belongs to it, so that it counts without scripts too. */
export const GUEST_FORM_ID = 'guest-form'

type Loader = () => Promise<{ texts: GuestTexts }>

/** The two languages of the pages are part of them; of the others a phone loads the one it needs. */
const LOADERS: Record<GuestLanguage, Loader> = {
  en: async () => ({ texts: english }),
  fr: async () => ({ texts: french }),
  zh: () => import('#contract/guest-texts-zh.ts'),
  yue: () => import('#contract/guest-texts-yue.ts'),
  pa: () => import('#contract/guest-texts-pa.ts'),
  es: () => import('#contract/guest-texts-es.ts'),
  ar: () => import('#contract/guest-texts-ar.ts'),
  tl: () => import('#contract/guest-texts-tl.ts'),
  it: () => import('#contract/guest-texts-it.ts'),
  pt: () => import('#contract/guest-texts-pt.ts'),
}

export type Guest = { language: GuestLanguage; texts: GuestTexts }

const OF_PAGE = {
  en: { language: 'en', texts: english },
  'fr-CA': { language: 'fr', texts: french },
} as const satisfies Record<string, Guest>

const ofPage = (): Guest => OF_PAGE[getLocale()]

const chosen = createStore<Guest | null>(null)

/** Returns the language a guest reads and its texts; that of the page until the browser has said otherwise. */
export const useGuest = (): Guest => chosen.useValue() ?? ofPage()

/** Returns the attributes of an element whose text is in a guest's language. */
export const languageAttributes = (language: GuestLanguage) => ({
  lang: GUEST_LANGUAGE_FACTS[language].tag,
  dir: GUEST_LANGUAGE_FACTS[language].direction,
})

const STORAGE_KEY = 'platenote-guest-language'

function readStoredLanguage(): GuestLanguage | null {
  const stored = browserStore.getItem(STORAGE_KEY)
  return GUEST_LANGUAGES.find((language) => language === stored) ?? null
}

/** Shows the pages in another language, and remembers it in this browser. Without a connection it says so, and nothing changes. */
export async function chooseGuestLanguage(language: GuestLanguage): Promise<void> {
  browserStore.setItem(STORAGE_KEY, language)
  if (!(await show(language))) toast.error(m.error_network())
}

/**
 * Shows the language that was chosen here before, else the first of the browser's languages that the pages have. A page under
 * /fr was requested in French.
 */
export async function startGuestLanguage(): Promise<void> {
  const { language } = ofPage()
  const ofBrowser = navigator.languages.map(guestLanguageOf).find((one) => one !== null)
  const wanted = readStoredLanguage() ?? (language === 'en' ? ofBrowser : undefined) ?? language
  if (wanted !== (chosen.get()?.language ?? language)) await show(wanted)
}

let latest: GuestLanguage | null = null

/** Shows a language, unless another one is wanted by the time it is loaded. Returns false when it cannot be loaded. */
async function show(language: GuestLanguage): Promise<boolean> {
  latest = language
  const loaded = await LOADERS[language]().catch(() => null)
  if (latest !== language) return true
  if (loaded) chosen.set({ language, texts: loaded.texts })
  return loaded !== null
}

/** Returns a time of day as readers of a language write it, in the clock of this browser. */
export const guestTime = (language: GuestLanguage, at: string | Date): string =>
  new Intl.DateTimeFormat(`${GUEST_LANGUAGE_FACTS[language].tag}-u-nu-latn`, {
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(at))
