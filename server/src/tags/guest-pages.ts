import type { FastifyRequest } from 'fastify'
import {
  GUEST_LANGUAGE_FACTS,
  GUEST_LANGUAGES,
  type GuestLanguage,
  guestLanguageOf,
} from '#contract/guest-languages.ts'
import type { GuestTexts } from '#contract/guest-texts.ts'
import { texts as ar } from '#contract/guest-texts-ar.ts'
import { texts as en } from '#contract/guest-texts-en.ts'
import { texts as es } from '#contract/guest-texts-es.ts'
import { texts as fr } from '#contract/guest-texts-fr.ts'
import { texts as it } from '#contract/guest-texts-it.ts'
import { texts as pa } from '#contract/guest-texts-pa.ts'
import { texts as pt } from '#contract/guest-texts-pt.ts'
import { texts as tl } from '#contract/guest-texts-tl.ts'
import { texts as yue } from '#contract/guest-texts-yue.ts'
import { texts as zh } from '#contract/guest-texts-zh.ts'
import type { Locale } from '#contract/product.ts'
import { markChosen } from '../http/form-page.ts'
import { makePage, type StaticPage } from '../http/static-pages.ts'
import { makeTemplate } from '../http/template.ts'

/** The texts for people without an account, in all of their languages. */
export const GUEST_TEXTS: Record<GuestLanguage, GuestTexts> = { en, fr, zh, yue, pa, es, ar, tl, it, pt }

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
