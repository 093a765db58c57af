import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import type { MailKind, MailKindWithoutAccount } from './outbox.ts'

/** A leased email, with its recipient's current address, language and preferences. */
export type LeasedMail = {
  /** Id of the outbox row, the newest one where messages share an email; also the Message-ID. */
  id: string
  kind: MailKind
  /** Id of the subject, for example a message or a vehicle, depending on the kind. */
  refId: string
  /** Older messages of the same owner that share the email, oldest first. */
  olderRefIds?: string[]
  recipientId: string
  to: string
  locale: Locale
  preferences: { email_messages: boolean; email_message_text: boolean }
  data: Record<string, string>
}

/** A leased email to an address that is no account's. */
export type LeasedMailWithoutAccount = {
  /** Id of the outbox row; also the Message-ID. */
  id: string
  kind: MailKindWithoutAccount
  refId: string
}

/** A piece of an email. Texts are plain; the layout escapes them. */
export type MailBlock =
  | { kind: 'text'; text: string }
  /** Another person's text: set apart, and nothing in it becomes a link. */
  | { kind: 'quote'; text: string }
  /** A code to type, large. */
  | { kind: 'code'; code: string }
  /** A licence plate, drawn. */
  | { kind: 'plate'; plate: string; province?: string }
  | { kind: 'button'; label: string; url: string }
  /** One of several messages; its plate is null when all are about the same one. */
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
  /** Says in the footer why the recipient gets this email. */
  reason: string
  /** Unsubscribes from emails of this kind without a session (RFC 8058); for the headers and the footer. */
  unsubscribeUrl?: string
  headers?: Record<string, string>
}

/**
 * Writes one kind of email from the current state of the database. Returns null to drop the email: its subject is gone,
 * or the recipient does not want it.
 */
export type RenderMail = (context: AppContext, mail: LeasedMail) => Promise<MailContent | null>
/** As `RenderMail`, for an email to an address that is no account's; says whose it is and in which language. */
export type RenderMailWithoutAccount = (
  context: AppContext,
  mail: LeasedMailWithoutAccount,
) => Promise<(MailContent & { to: string; locale: Locale }) | null>

/** The renderer of each kind of email. */
export type MailRenderers = Record<MailKind, RenderMail> & Record<MailKindWithoutAccount, RenderMailWithoutAccount>
