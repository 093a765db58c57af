import { GUEST_CHIPS, GUEST_CHIPS_MAX } from '#contract/guest-chips.ts'
import { GUEST_LANGUAGE_FACTS, GUEST_LANGUAGES, type GuestLanguage } from '#contract/guest-languages.ts'
import { GUEST_REASONS, type GuestTexts } from '#contract/guest-texts.ts'
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
import { paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import type { Receipt } from '#contract/tags.ts'
import { escapeHtml } from '../html.ts'
import { renderMinimalPage } from '../http/minimal-page.ts'

/** The texts for people without an account, in all of their languages. */
export const GUEST_TEXTS: Record<GuestLanguage, GuestTexts> = { en, fr, zh, yue, pa, es, ar, tl, it, pt }

/** What was typed into the form, unchanged; `token` is null on the page that asks for the digits. */
export type GuestForm = {
  token: string | null
  digits: string
  plateEnd: string
  reason: string
  chips: string[]
  language: GuestLanguage
}

type PageContext = { publicUrl: string; locale: Locale }

const frame = (language: GuestLanguage) => {
  const { tag, direction } = GUEST_LANGUAGE_FACTS[language]
  return { tag, direction }
}

/** Those that need no clock. */
const PLAIN_CHIPS = GUEST_CHIPS.filter((chip) => !chip.startsWith('until_')).slice(0, GUEST_CHIPS_MAX)

/**
 * Renders the form of a tag for a browser without scripts, in the language that was chosen, with what was typed and what is
 * wrong with it.
 */
export function renderTagForm({ publicUrl, locale }: PageContext, form: GuestForm, error: string): string {
  const texts = GUEST_TEXTS[form.language]
  const input = (name: string, label: string, hint: string, value: string) => `
<label for="${name}">${label}</label>${hint === '' ? '' : `<p class="hint" id="${name}-hint">${hint}</p>`}
<input type="text" id="${name}" name="${name}" value="${escapeHtml(value)}" required autocomplete="off" autocapitalize="characters"
  spellcheck="false" dir="ltr"${hint === '' ? '' : ` aria-describedby="${name}-hint"`}>`
  const choice = (type: 'radio' | 'checkbox', name: string, value: string, label: string, isChosen: boolean) =>
    `<label class="choice"><input type="${type}" name="${name}" value="${value}"${type === 'radio' ? ' required' : ''}${
      isChosen ? ' checked' : ''
    }><span>${label}</span></label>`
  const languages = GUEST_LANGUAGES.map(
    (one) =>
      `<option value="${one}" lang="${GUEST_LANGUAGE_FACTS[one].tag}"${one === form.language ? ' selected' : ''}>${
        GUEST_LANGUAGE_FACTS[one].name
      }</option>`,
  )
  return renderMinimalPage(locale, publicUrl, {
    language: frame(form.language),
    heading: texts.tag.title,
    text: texts.common.anonymous,
    form: `<form method="post">
<p class="error" role="alert">${escapeHtml(error)}</p>
${form.token === null ? input('digits', texts.tag.digits, '', form.digits) : ''}
${input('plate_end', texts.tag.plate, texts.tag.plate_hint, form.plateEnd)}
<fieldset><legend>${texts.tag.reason}</legend>
${GUEST_REASONS.map((reason) => choice('radio', 'reason', reason, texts.reasons[reason], reason === form.reason)).join('\n')}
</fieldset>
<p>${texts.tag.emergency}</p>
<fieldset><legend>${texts.tag.chips}</legend>
${PLAIN_CHIPS.map((chip) =>
  choice('checkbox', 'chips', chip, texts.tag[chip as 'waiting_here' | 'no_hurry'], form.chips.includes(chip)),
).join('\n')}
</fieldset>
<label for="language">${texts.common.language}</label>
<select id="language" name="language">${languages.join('')}</select>
<button>${texts.tag.send}</button>
</form>`,
    link: { text: texts.receipt.register, path: paths.signup() },
  })
}

/** Renders a receipt for a browser without scripts, with a button that looks for the answer. */
export function renderReceipt(
  { publicUrl, locale }: PageContext,
  receipt: string,
  { state, answer, reply }: Pick<Receipt, 'state' | 'answer' | 'reply'>,
  language: GuestLanguage,
): string {
  const texts = GUEST_TEXTS[language]
  const isAnswered = state === 'answered'
  return renderMinimalPage(locale, publicUrl, {
    language: frame(language),
    heading: isAnswered ? texts.receipt.answered : texts.receipt.left,
    text: isAnswered ? (answer === null ? '' : texts.answers[answer]) : texts.receipt.waiting,
    form: `${reply ? `<p class="quote" dir="auto">${escapeHtml(reply)}</p>` : ''}
<form method="post" action="${escapeHtml(paths.receipt())}">
<input type="hidden" name="receipt" value="${escapeHtml(receipt)}">
<input type="hidden" name="language" value="${language}">
<button>${texts.receipt.check}</button>
</form>
${isAnswered ? `<p>${texts.receipt.register_title}: ${texts.receipt.register_text}</p>` : ''}`,
    link: { text: texts.receipt.register, path: paths.signup() },
  })
}

/** Renders the page for a receipt that is not there any more. */
export const renderGoneReceipt = ({ publicUrl, locale }: PageContext, language: GuestLanguage): string =>
  renderMinimalPage(locale, publicUrl, {
    language: frame(language),
    heading: GUEST_TEXTS[language].receipt.title,
    text: GUEST_TEXTS[language].receipt.gone,
    link: { text: GUEST_TEXTS[language].tag.title, path: paths.tag() },
  })
