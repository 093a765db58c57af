import type { MessageReason } from '#contract/messages.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { reasonName } from '#contract/reasons.ts'
import type { MailBlock, MailContent } from '../email/mail-content.ts'
import { renderBlockHtml } from '../email/render-blocks.ts'

/** Limits the messages a digest shows. */
export const MAX_DIGEST_MESSAGES = 20
/** Limits their size together, so that the email stays below the one at which Gmail clips it (102 kB). Any single one is smaller. */
const MAX_MESSAGES_BYTES = 90_000

type DigestMessage = {
  plate: string
  reason: MessageReason | null
  /** Null when the owner does not want texts in emails. */
  text: string | null
  /** Says what else the message has. */
  additions: string[]
}

type DigestData = {
  /** The newest messages, newest first; at most MAX_DIGEST_MESSAGES. */
  messages: DigestMessage[]
  /** How many messages there are in all. */
  count: number
  /** Null when the messages are about several plates. */
  plate: string | null
  url: string
}

type Texts = {
  subject: string
  preheader: string
  heading: string
  intro: string
  more: (count: number) => string
  message: string
  button: string
  anonymous: string
  reason: string
}

const TEXTS: Record<Locale, (data: DigestData) => Texts> = {
  en: ({ count, plate }) => ({
    subject: plate ? `${count} new messages about your vehicle ${plate}` : `${count} new messages about your vehicles`,
    preheader: 'You have new messages about your vehicle.',
    heading: `You have ${count} new messages`,
    intro: 'Newest first.',
    more: (rest) => (rest === 1 ? `1 more message in ${PRODUCT}.` : `${rest} more messages in ${PRODUCT}.`),
    message: 'Message',
    button: 'Read and reply',
    anonymous:
      'Nobody who messages you can see who you are, even if you reply. To reply, use the button: replying to this email reaches nobody.',
    reason: plate
      ? `You’re receiving this email because you own or drive the vehicle ${plate} on ${PRODUCT}.`
      : `You’re receiving this email because you own or drive these vehicles on ${PRODUCT}.`,
  }),
  'fr-CA': ({ count, plate }) => ({
    subject: plate
      ? `${count} nouveaux messages au sujet de votre véhicule ${plate}`
      : `${count} nouveaux messages au sujet de vos véhicules`,
    preheader: 'Vous avez de nouveaux messages au sujet de votre véhicule.',
    heading: `Vous avez ${count} nouveaux messages`,
    intro: 'Le plus récent en premier.',
    more: (rest) => (rest === 1 ? `1 autre message dans ${PRODUCT}.` : `${rest} autres messages dans ${PRODUCT}.`),
    message: 'Message',
    button: 'Lire et répondre',
    anonymous:
      'On ne voit pas qui vous êtes, même si vous répondez. Pour répondre, utilisez le bouton : les réponses à ce courriel ne parviennent à personne.',
    reason: plate
      ? `Vous recevez ce courriel parce que vous possédez ou conduisez le véhicule ${plate} sur ${PRODUCT}.`
      : `Vous recevez ce courriel parce que vous possédez ou conduisez ces véhicules sur ${PRODUCT}.`,
  }),
}

/** Returns the messages that fit into an email, each whole, from the first on. */
function takeFitting(items: MailBlock[], locale: Locale): MailBlock[] {
  let bytes = 0
  const firstTooMany = items.findIndex((item) => {
    bytes += Buffer.byteLength(renderBlockHtml(item, locale))
    return bytes > MAX_MESSAGES_BYTES
  })
  return firstTooMany === -1 ? items : items.slice(0, firstTooMany)
}

/** Writes one email about several new messages, newest first, each with its plate, reason and text; those that do not fit are counted. */
export function buildDigestMail(data: DigestData, locale: Locale): MailContent {
  const { messages, count, plate, url } = data
  const texts = TEXTS[locale](data)
  const { subject, preheader, heading, reason } = texts
  const items: MailBlock[] = messages.map((message) => ({
    kind: 'message',
    plate: plate === null ? message.plate : null,
    title: reasonName(message.reason, locale) ?? texts.message,
    text: message.text,
    note: message.additions.length === 0 ? null : message.additions.join('\n'),
  }))
  const shown = takeFitting(items, locale)
  const rest = count - shown.length
  return {
    subject,
    preheader,
    heading,
    blocks: [
      ...(plate === null ? [] : [{ kind: 'plate' as const, plate }]),
      { kind: 'text', text: texts.intro },
      ...shown,
      ...(rest > 0 ? [{ kind: 'text' as const, text: texts.more(rest) }] : []),
      { kind: 'button', label: texts.button, url },
      { kind: 'note', text: texts.anonymous },
    ],
    reason,
  }
}
