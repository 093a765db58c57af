// chunk: guest

/**
 * The languages in which somebody without an account reads the pages at a vehicle (decision windshield-tag). The owner reads the two
 * languages of the product.
 */
export const GUEST_LANGUAGES = ['en', 'fr', 'zh', 'yue', 'pa', 'es', 'ar', 'tl', 'it', 'pt'] as const
export type GuestLanguage = (typeof GUEST_LANGUAGES)[number]

type LanguageFacts = {
  /** Its own name, for people who read no other language. */
  name: string
  /** BCP 47, for `lang` and `Intl`. */
  tag: string
  direction: 'ltr' | 'rtl'
}

export const GUEST_LANGUAGE_FACTS: Record<GuestLanguage, LanguageFacts> = {
  en: { name: 'English', tag: 'en-CA', direction: 'ltr' },
  fr: { name: 'Français', tag: 'fr-CA', direction: 'ltr' },
  zh: { name: '普通话', tag: 'zh-Hans', direction: 'ltr' },
  yue: { name: '廣東話', tag: 'yue-Hant', direction: 'ltr' },
  pa: { name: 'ਪੰਜਾਬੀ', tag: 'pa', direction: 'ltr' },
  es: { name: 'Español', tag: 'es', direction: 'ltr' },
  ar: { name: 'العربية', tag: 'ar', direction: 'rtl' },
  tl: { name: 'Tagalog', tag: 'fil', direction: 'ltr' },
  it: { name: 'Italiano', tag: 'it', direction: 'ltr' },
  pt: { name: 'Português', tag: 'pt', direction: 'ltr' },
}

/** Returns the language of a guest that a language tag of a browser asks for; null for one that these pages do not have. */
export function guestLanguageOf(tag: string): GuestLanguage | null {
  const lower = tag.toLowerCase()
  // a reader of Chinese in Hong Kong or Macau speaks Cantonese; elsewhere it is Mandarin
  if (/^(?:yue|zh-(?:hant-)?(?:hk|mo))\b/.test(lower)) return 'yue'
  const [primary = ''] = lower.split('-')
  if (primary === 'fil') return 'tl'
  if (primary === 'cmn') return 'zh'
  return GUEST_LANGUAGES.find((language) => language === primary) ?? null
}
