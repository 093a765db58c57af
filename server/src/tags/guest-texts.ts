import type { GuestLanguage } from '#contract/guest-languages.ts'
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

/** The texts for people without an account, in all of their languages. */
export const GUEST_TEXTS: Record<GuestLanguage, GuestTexts> = { en, fr, zh, yue, pa, es, ar, tl, it, pt }
