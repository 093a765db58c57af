import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import type { MailKind, SupportMailKind } from './outbox.ts'

/** A mail the worker holds, with what it knows of the person who gets it at this moment. */
export type LeasedMail = {
  /** Of the outbox row, the newest where messages share a mail; also the Message-ID. */
  id: string
  kind: MailKind
  /** What the mail is about, as its kind says. */
  refId: string
  /** Older messages of the same owner that share the mail, oldest first. */
  olderRefIds?: string[]
  recipientId: string
  to: string
  locale: Locale
  preferences: { email_messages: boolean; email_message_text: boolean }
  data: Record<string, string>
}

/** A mail to the support address the worker holds. The team's language is English. */
export type SupportMail = {
  /** Of the outbox row; also the Message-ID. */
  id: string
  kind: SupportMailKind
  refId: string
  /** False when the mail server would not take what somebody wrote. */
  withText: boolean
}

/** One piece of a mail. Texts are plain: the layout escapes them. */
export type MailBlock =
  | { kind: 'text'; text: string }
  /** What another person wrote: set apart, and nothing in it becomes a link. */
  | { kind: 'quote'; text: string }
  /** A licence plate, drawn. */
  | { kind: 'plate'; plate: string; province?: string }
  | { kind: 'button'; label: string; url: string }
  /** One of several messages: its plate if they have several, what it is about, what its sender wrote. */
  | { kind: 'message'; plate: string | null; title: string; text: string | null; note: string | null }
  | { kind: 'list'; items: string[] }
  /** Small print. */
  | { kind: 'note'; text: string }

export type MailContent = {
  subject: string
  /** The line an inbox shows beside the subject. */
  preheader: string
  heading: string
  blocks: MailBlock[]
  /** Why the person gets this mail; stands in the footer. */
  reason: string
  /** Ends mails of this kind without a session (RFC 8058); stands in the head and in the footer. */
  unsubscribeUrl?: string
  headers?: Record<string, string>
}

/**
 * Writes one kind of mail, from what the database holds now. Null: there is nothing to say any more (the thing is gone,
 * or the person does not want it) and the mail is dropped.
 */
export type RenderMail = (context: AppContext, mail: LeasedMail) => Promise<MailContent | null>
export type RenderSupportMail = (context: AppContext, mail: SupportMail) => Promise<MailContent | null>

/** What writes each kind of mail. */
export type MailRenderers = Record<MailKind, RenderMail> & Record<SupportMailKind, RenderSupportMail>
