import { answerText } from '#contract/answers.ts'
import { getMessage, type MessageDetail } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { reasonName } from '#contract/reasons.ts'
import { CopyEntry, CopyPage } from '~/collisions/CopyPage'
import { formatDateTime } from '~/lib/dates/dates'
import { getLocale } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { answerLabel } from './AnswerButtons.tsx'
import { MessageText } from './MessageText.tsx'
import { textOf } from './message-texts.ts'

export const meta = () => privatePageMeta(m.copy_title())

/** Renders /dashboard/message-copy?id=…: everything the user may see of one message, to print or to save. */
export default function MessageCopyPage() {
  return (
    <CopyPage
      endpoint={getMessage}
      back={{ text: m.copy_back(), to: (_, message) => paths.messages(message?.view ?? 'received', message?.id) }}
      title={m.copy_title()}
      intro={({ view }) =>
        view === 'received' ? m.copy_received({ product: PRODUCT }) : m.copy_sent({ product: PRODUCT })
      }
      gone={m.messages_gone()}
      made={(date) => m.copy_made({ date, product: PRODUCT })}
      print={m.copy_print()}
    >
      {(message) => <CopiedMessage message={message} />}
    </CopyPage>
  )
}

function CopiedMessage({ message }: { message: MessageDetail }) {
  const isReceived = message.view === 'received'
  const reason = reasonName(message.reason, getLocale())
  const answer = isReceived ? answerLabel(message.answer) : answerText(message.answer, getLocale())
  return (
    <dl className="grid gap-5">
      <CopyEntry name={m.copy_plate()}>
        <span className="font-bold tracking-wide">
          {message.plate === null ? m.message_note() : verbatim(message.plate, message.plate)}
        </span>
      </CopyEntry>
      <CopyEntry name={isReceived ? m.copy_at() : m.copy_sent_at()}>
        <time dateTime={message.inserted_at}>{formatDateTime(message.inserted_at)}</time>
      </CopyEntry>
      {reason && <CopyEntry name={m.copy_reason()}>{reason}</CopyEntry>}
      <CopyEntry name={m.copy_text()}>
        <MessageText text={textOf(message)} />
      </CopyEntry>
      {message.image_url && (
        <CopyEntry name={m.copy_photo()}>
          <img src={message.image_url} alt={m.image_alt()} className="max-h-[24rem] max-w-full rounded-lg" />
        </CopyEntry>
      )}
      <CopyEntry name={isReceived ? m.copy_reply_own() : m.copy_reply_owner()}>
        {answer !== null && <p className="font-bold">{answer}</p>}
        {message.reply === null ? m.copy_no_reply() : message.reply !== '' && <MessageText text={message.reply} />}
        {message.replied_at && (
          <time dateTime={message.replied_at} className="text-sm text-ink-soft">
            {formatDateTime(message.replied_at)}
          </time>
        )}
      </CopyEntry>
      <CopyEntry name={m.copy_id()}>
        <span translate="no" className="text-sm tabular-nums">
          {message.id}
        </span>
      </CopyEntry>
    </dl>
  )
}
