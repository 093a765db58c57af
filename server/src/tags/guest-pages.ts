import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import {
  GUEST_LANGUAGE_FACTS,
  GUEST_LANGUAGES,
  type GuestLanguage,
  guestLanguageOf,
} from '#contract/guest-languages.ts'
import type { GuestTexts } from '#contract/guest-texts.ts'
import type { Locale } from '#contract/product.ts'
import { markChosen } from '../http/form-page.ts'
import { makePage, type StaticPage } from '../http/static-pages.ts'
import { makeTemplate } from '../http/template.ts'

/** The texts for people without an account, in all of their languages. */
export const GUEST_TEXTS = Object.fromEntries(
  GUEST_LANGUAGES.map((language) => {
    const file = join(import.meta.dirname, '../../../locales/guest', `${language}.json`)
    return [language, JSON.parse(readFileSync(file, 'utf8'))]
  }),
) as Record<GuestLanguage, GuestTexts>

/** Fills the texts of a language into a built page, which has slots for them (web/src/guest/guest-texts.ts). */
const fillTexts = (language: GuestLanguage) => {
  const { tag, direction } = GUEST_LANGUAGE_FACTS[language]
  const texts = Object.entries(GUEST_TEXTS[language]).flatMap(([group, named]) =>
    Object.entries(named).map(([name, text]) => [`TEXT_${group}_${name}`.toUpperCase(), text] as const),
  )
  return makeTemplate({
    ...Object.fromEntries(texts),
    TEXT_LANGUAGE: language,
    TEXT_TAG: tag,
    TEXT_DIRECTION: direction,
    TEXT_PREFIX: language === 'fr' ? '/fr' : '',
  })
}

const filled = new WeakMap<StaticPage, Partial<Record<GuestLanguage, StaticPage>>>()

/** Returns a page in a guest's language; one that has no slots for it as it is. */
export function pageInLanguage(page: StaticPage, language: GuestLanguage): StaticPage {
  if (!page.template.includes('%TEXT_')) return page
  const known = filled.get(page) ?? {}
  filled.set(page, known)
  known[language] ??= {
    ...makePage(page, markChosen(fillTexts(language)(page.template), [language])),
    vary: 'Accept-Encoding, Accept-Language',
  }
  return known[language]
}

/** Returns a page as it is first sent, in the language of its reader (`registerWebApp`). */
export function guestPage(request: FastifyRequest, page: StaticPage): StaticPage {
  const { language } = request.query as { language?: unknown }
  return pageInLanguage(page, guestLanguage(request, language, /^\/fr(?:\/|$)/.test(request.url) ? 'fr-CA' : 'en'))
}

/**
 * Returns the language in which a guest reads a page: the one that was chosen, else the first of the browser's that the pages have. A
 * page under /fr was requested in French.
 */
export function guestLanguage({ headers }: FastifyRequest, chosen: unknown, locale: Locale): GuestLanguage {
  const known = GUEST_LANGUAGES.find((language) => language === chosen)
  if (known !== undefined) return known
  if (locale !== 'en') return 'fr'
  const tags = (headers['accept-language'] ?? '').split(',').map((part) => part.split(';')[0]!.trim())
  return tags.map(guestLanguageOf).find((language) => language !== null) ?? 'en'
}
