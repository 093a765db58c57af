import { formatNoteCode, noteCodeDigits } from '#contract/note-code.ts'
import type { Note } from '#contract/notes.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { escapeHtml } from '../html.ts'
import { renderMinimalPage } from '../http/minimal-page.ts'

/** What was typed into the form of `/n`, unchanged. */
export type NoteFormValues = { code: string; plate: string; reply: string; action: string }

const TEXTS = {
  en: {
    heading: 'A note for you',
    code: 'Code on the note',
    plate: 'Your licence plate',
    open: 'Read the note',
    anonymous: 'Whoever wrote this does not know who you are.',
    reply: 'Your reply',
    send: 'Reply once',
    replied: 'Your reply is on its way. You can reply once.',
    unwanted: 'This is unwanted',
    unwantedText: 'It is reported to our moderators and thrown away.',
    register: (plate: string) => `Next time on your phone, right away: register ${plate}`,
    thrownHeading: 'The note is gone',
    thrown: 'We have thrown it away, and a person of our team will look at it. If you are in danger, call 911.',
    retryHeading: 'Read a note',
    home: `What is ${PRODUCT}?`,
  },
  'fr-CA': {
    heading: 'Un mot pour vous',
    code: 'Code inscrit sur le mot',
    plate: 'Votre plaque d’immatriculation',
    open: 'Lire le mot',
    anonymous: 'La personne qui a écrit ceci ne sait pas qui vous êtes.',
    reply: 'Votre réponse',
    send: 'Répondre une fois',
    replied: 'Votre réponse est en route. Vous pouvez répondre une seule fois.',
    unwanted: 'Ce mot est indésirable',
    unwantedText: 'Il est signalé à notre équipe de modération, puis jeté.',
    register: (plate: string) => `La prochaine fois sur votre téléphone, tout de suite : enregistrez ${plate}`,
    thrownHeading: 'Le mot a disparu',
    thrown: 'Nous l’avons jeté, et une personne de notre équipe l’examinera. Si vous êtes en danger, appelez le 911.',
    retryHeading: 'Lire un mot',
    home: `Qu’est-ce que ${PRODUCT}?`,
  },
} as const

type Site = { locale: Locale; publicUrl: string }

const action = (locale: Locale) => escapeHtml(localizedPath(paths.note(), locale))

const hiddenKey = ({ code, plate }: NoteFormValues) =>
  `<input type="hidden" name="code" value="${escapeHtml(code)}"><input type="hidden" name="plate" value="${escapeHtml(plate)}">`

/**
 * Renders the form of `/n` again, with what was typed and what is wrong.
 *
 * @param fields what is wrong with single fields, by their names
 */
export function renderNoteForm(
  { locale, publicUrl }: Site,
  values: NoteFormValues,
  error: string,
  fields: Record<string, string>,
): string {
  const t = TEXTS[locale]
  const fieldError = (name: 'code' | 'plate') =>
    fields[name] === undefined ? '' : `\n<p class="error" id="${name}-error">${escapeHtml(fields[name])}</p>`
  const describedBy = (name: 'code' | 'plate') =>
    fields[name] === undefined ? '' : ` aria-invalid="true" aria-describedby="${name}-error"`
  const form = `<form method="post" action="${action(locale)}">
<p class="error" role="alert">${escapeHtml(error)}</p>
<label for="code">${t.code}</label>${fieldError('code')}
<input type="text" id="code" name="code" value="${escapeHtml(values.code)}" inputmode="numeric" autocomplete="off" required${describedBy('code')}>
<label for="plate">${t.plate}</label>${fieldError('plate')}
<input type="text" id="plate" name="plate" value="${escapeHtml(values.plate)}" autocomplete="off" autocapitalize="characters" required${describedBy('plate')}>
<button>${t.open}</button></form>`
  return renderMinimalPage(locale, publicUrl, {
    heading: t.retryHeading,
    text: '',
    form,
    link: { text: t.home, path: paths.home() },
  })
}

/** Renders an opened note, in the language of its reader. */
export function renderNote({ locale, publicUrl }: Site, values: NoteFormValues, note: Note, error?: string): string {
  const t = TEXTS[locale]
  const reason = reasonName(note.reason, locale)
  const plate = escapeHtml(displayPlate(values.plate))
  const text = localizedMessageText(note, locale)
  const language = text === note.content ? note.language : locale
  const reply =
    note.replied_at === null
      ? `<form method="post" action="${action(locale)}">${hiddenKey(values)}<input type="hidden" name="action" value="reply">
${error === undefined ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`}
<label for="reply">${t.reply}</label>
<textarea id="reply" name="reply" rows="4" required>${escapeHtml(values.reply)}</textarea>
<button>${t.send}</button></form>`
      : `<p role="status">${t.replied}</p>`
  return renderMinimalPage(locale, publicUrl, {
    heading: t.heading,
    text: `${plate} · ${t.anonymous}`,
    form: `${reason === null ? '' : `<p><strong>${reason}</strong></p>`}
<blockquote class="quote" lang="${language}">${escapeHtml(text)}</blockquote>
${reply}
<form method="post" action="${action(locale)}">${hiddenKey(values)}<input type="hidden" name="action" value="unwanted">
<p>${t.unwantedText}</p><button class="quiet">${t.unwanted}</button></form>`,
    link: { text: t.register(plate), path: paths.signup() },
  })
}

/** Renders what follows 'This is unwanted'. */
export const renderThrownAway = ({ locale, publicUrl }: Site): string => {
  const t = TEXTS[locale]
  return renderMinimalPage(locale, publicUrl, {
    heading: t.thrownHeading,
    text: t.thrown,
    link: { text: t.home, path: paths.home() },
  })
}

/** Writes a code as it was meant, for the form. */
export const shownCode = (typed: string): string => formatNoteCode(noteCodeDigits(typed)) || typed
