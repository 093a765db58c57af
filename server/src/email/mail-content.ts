import type { Locale } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'
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
  preferences: { email_messages: boolean; email_message_text: boolean; email_answers: boolean }
  data: Record<string, string>
}

/** A leased email to an address that is no account's. */
export type LeasedMailWithoutAccount = {
  /** Id of the outbox row; also the Message-ID. */
  id: string
  kind: MailKindWithoutAccount
  refId: string
}

/**
 * A text of an email: one of the catalogue (locales), which names some of the email's inputs; one that is ready; or several,
 * one after the other.
 */
export type MailText<Inputs = never> =
  | string
  | ((inputs: Inputs, options: { locale: Locale }) => string)
  | readonly MailText<Inputs>[]

/** A button to a page of `paths`, in the recipient's language, or to a whole address. */
type MailButton<Inputs = never> = { button: MailText<Inputs>; to: string }

/** One of several messages; its plate is null when all are about the same one, its button when there is none of its own. */
export type MailMessage = {
  plate: string | null
  title: string
  text: string | null
  note: string | null
  button?: MailButton | null
}

/** A piece of an email; a text by itself is a paragraph. Texts are plain; the layout escapes them. */
export type MailBlock<Inputs = never> =
  | MailText<Inputs>
  /** Small print. */
  | { note: MailText<Inputs> }
  /** Another person's text: set apart, and nothing in it becomes a link. */
  | { quote: string }
  /** A code to type, large. */
  | { code: string }
  /** A licence plate, drawn. */
  | { plate: string; province?: Province }
  | MailButton<Inputs>
  /** Several buttons, the most likely one in colour. */
  | { choices: MailButton<Inputs>[] }
  | { message: MailMessage }
  | { list: MailText<Inputs>[] }

type Mail<Inputs> = {
  subject: MailText<Inputs>
  /** The line an inbox shows beside the subject. */
  preheader: MailText<Inputs>
  heading: MailText<Inputs>
  /** What is null or false is left out. */
  blocks: (MailBlock<Inputs> | null | false)[]
  /** Says in the footer why the recipient gets this email. */
  reason: MailText<Inputs>
  /** Where replies go, when they are to reach somebody. */
  replyTo?: string
  /** Unsubscribes from emails of this kind without a session (RFC 8058); for the headers and the footer. */
  unsubscribeUrl?: string
}

/** An email without the layout, in no language yet. */
export type MailContent = Mail<never> & { inputs?: object }

/** What every text may name: the address of the support team. */
type CommonInputs = { support: string }

/** Writes an email: what its texts name, and its texts and blocks. */
export const writeMail = <Inputs extends object>(
  inputs: Inputs,
  parts: Mail<NoInfer<Inputs> & CommonInputs>,
): MailContent => ({ ...parts, inputs })

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
