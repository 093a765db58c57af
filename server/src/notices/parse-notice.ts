import { LOCALES, type Locale } from '#contract/product.ts'
import { OperatorError } from '../log/operator-error.ts'

/** A path of this site, which the email links in the reader's language. */
export type NoticeBlock = { kind: 'text'; text: string } | { kind: 'list'; items: string[] } | NoticeButton
export type NoticeButton = { kind: 'button'; label: string; path: string }
export type NoticeText = { subject: string; blocks: NoticeBlock[] }
export type NoticeTexts = Record<Locale, NoticeText>

const SUBJECT_MAX = 150
const BUTTON = /^\[([^\]]+)\]\((\/[^)\s]*)\)$/

/**
 * Parses the file of a notice: for each language a line '# en' or '# fr-CA', the subject, an empty line, and paragraphs; lines
 * that begin with '- ' are a list, and '[Label](/path)' alone is a button. Throws an OperatorError that names what is missing, also
 * for a '[[blank]]' of docs/notices that nobody has filled in.
 */
export function parseNotice(file: string): NoticeTexts {
  const blank = /\[\[[^\]]*\]\]/.exec(file)?.[0]
  if (blank) throw new OperatorError(`Fill in every ${blank} first.`)
  const parts = file.replaceAll('\r\n', '\n').split(/^# *([\w-]+) *$/m)
  const sections = new Map<string, string>()
  for (let i = 1; i < parts.length; i += 2) sections.set(parts[i]!, parts[i + 1]!)
  const unknown = [...sections.keys()].filter((name) => !LOCALES.some((locale) => locale === name))
  if (unknown.length > 0 || parts[0]!.trim() !== '')
    throw new OperatorError(`The file must begin with '# en' or '# fr-CA'; found ${unknown[0] ?? 'text before it'}.`)
  return Object.fromEntries(LOCALES.map((locale) => [locale, parseText(sections.get(locale), locale)])) as NoticeTexts
}

function parseText(section: string | undefined, locale: string): NoticeText {
  if (section === undefined)
    throw new OperatorError(`The file has no '# ${locale}': everybody reads their own language.`)
  const [subject = '', ...paragraphs] = section
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
  if (subject === '' || subject.includes('\n') || subject.length > SUBJECT_MAX)
    throw new OperatorError(`'# ${locale}' must begin with the subject: one line of at most ${SUBJECT_MAX} characters.`)
  if (paragraphs.length === 0) throw new OperatorError(`'# ${locale}' has no text after its subject.`)
  return { subject, blocks: paragraphs.map(parseBlock) }
}

function parseBlock(paragraph: string): NoticeBlock {
  const [, label, path] = BUTTON.exec(paragraph) ?? []
  if (label && path) return { kind: 'button', label, path }
  const lines = paragraph.split('\n').map((line) => line.trim())
  if (lines.every((line) => line.startsWith('- '))) return { kind: 'list', items: lines.map((line) => line.slice(2)) }
  return { kind: 'text', text: lines.join(' ') }
}
