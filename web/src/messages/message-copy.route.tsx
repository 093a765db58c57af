import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { answerText } from '#contract/answers.ts'
import type { MessageDetail } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { formatDateTime } from '~/lib/dates/dates'
import { ApiError } from '~/lib/http/api'
import { getLocale, href, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { now } from '~/lib/time/now'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { answerLabel } from './AnswerButtons.tsx'
import { messageQuery } from './queries.ts'

export const meta = () => privatePageMeta(m.copy_title())

/** Renders /dashboard/message-copy?id=…: everything the user may see of one message, to print or to save. */
export default function MessageCopyPage() {
  const [params] = useSearchParams()
  const id = params.get('id')
  // an address that names no message
  return id ? <Copy id={id} /> : <Navigate to={href(paths.messages('received'))} replace />
}

function Copy({ id }: { id: string }) {
  const { data: message, error, refetch } = useQuery(messageQuery(id))
  return (
    <div className="max-w-3xl">
      <Link
        to={paths.messages(message?.view ?? 'received', message?.id)}
        className="link inline-flex items-center gap-1.5 py-2.5 print:hidden"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.copy_back()}
      </Link>
      <PageHeader title={m.copy_title()}>
        {message &&
          (message.view === 'received' ? m.copy_received({ product: PRODUCT }) : m.copy_sent({ product: PRODUCT }))}
      </PageHeader>
      {message ? (
        <CopiedMessage message={message} />
      ) : error instanceof ApiError && [400, 404].includes(error.status) ? (
        <p role="status" className="rounded-xl border border-line bg-sunken p-4">
          {m.messages_gone()}
        </p>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-80 w-full" />
        </Loading>
      )}
    </div>
  )
}

function CopiedMessage({ message }: { message: MessageDetail }) {
  const isReceived = message.view === 'received'
  const reason = reasonName(message.reason, getLocale())
  const answer = isReceived ? answerLabel(message.answer) : answerText(message.answer, getLocale())
  const [copiedAt] = useState(() => new Date(now()).toISOString())
  return (
    <>
      <article className="rounded-2xl border border-line bg-surface p-4 shadow-card sm:p-6 print:border-0 print:p-0 print:shadow-none">
        <dl className="grid gap-5">
          <Entry name={m.copy_plate()}>
            <span className="font-bold tracking-wide">{message.plate ?? m.message_note()}</span>
          </Entry>
          <Entry name={isReceived ? m.copy_at() : m.copy_sent_at()}>
            <time dateTime={message.inserted_at}>{formatDateTime(message.inserted_at)}</time>
          </Entry>
          {reason && <Entry name={m.copy_reason()}>{reason}</Entry>}
          <Entry name={m.copy_text()}>
            <Text>
              {isReceived
                ? localizedMessageText(message, getLocale())
                : message.plate === null
                  ? m.message_note_sealed()
                  : message.content}
            </Text>
          </Entry>
          {message.image_url && (
            <Entry name={m.copy_photo()}>
              <img src={message.image_url} alt={m.image_alt()} className="max-h-[24rem] max-w-full rounded-lg" />
            </Entry>
          )}
          <Entry name={isReceived ? m.copy_reply_own() : m.copy_reply_owner()}>
            {answer !== null && <p className="font-bold">{answer}</p>}
            {message.reply === null ? m.copy_no_reply() : message.reply !== '' && <Text>{message.reply}</Text>}
            {message.replied_at && (
              <time dateTime={message.replied_at} className="text-sm text-ink-soft">
                {formatDateTime(message.replied_at)}
              </time>
            )}
          </Entry>
          <Entry name={m.copy_id()}>
            <span className="text-sm wrap-anywhere tabular-nums">{message.id}</span>
          </Entry>
        </dl>
        <p className="mt-6 border-t border-line pt-4 text-sm text-ink-soft">
          {m.copy_made({ date: formatDateTime(copiedAt), product: PRODUCT })}
        </p>
      </article>
      <Button variant="primary" size="lg" className="mt-5 w-full sm:w-auto print:hidden" onClick={() => print()}>
        <Printer aria-hidden="true" className="size-5" />
        {m.copy_print()}
      </Button>
    </>
  )
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 break-inside-avoid-page sm:grid-cols-[11rem_1fr] sm:gap-4">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="grid min-w-0 justify-items-start gap-1">{children}</dd>
    </div>
  )
}

/** Shows a whole text as it was written, however long it is. */
const Text = ({ children }: { children: string }) => (
  <p dir="auto" className="max-w-prose text-lg whitespace-pre-wrap wrap-anywhere">
    {children}
  </p>
)
