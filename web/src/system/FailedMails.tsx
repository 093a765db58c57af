import { useInfiniteQuery } from '@tanstack/react-query'
import { MailCheck, RotateCcw } from 'lucide-react'
import type { FailedMail } from '#contract/health.ts'
import { mailKindName } from '#contract/mail-kinds.ts'
import { PagedList } from '~/admin/frame/PagedList'
import { getLocale } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { Skeleton } from '~/ui/Skeleton'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { failedMailsQuery, useRetryMails } from './queries.ts'

/** Lists the emails that were given up: what they were about, never what they say, and buttons that send them again. */
export function FailedMails() {
  const list = useInfiniteQuery(failedMailsQuery)
  const mails = flattenPages(list.data)
  const all = useRetryMails()
  return (
    <section aria-labelledby="health-failed" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="health-failed" className="text-xl font-bold">
          {m.health_failed_mails()}
        </h2>
        {mails.length > 1 && (
          <Button icon={RotateCcw} pending={all.isPending} onClick={() => all.mutate('failed')}>
            {m.health_retry_all()}
          </Button>
        )}
      </div>
      <PagedList
        list={list}
        isEmpty={mails.length === 0}
        skeleton={<Skeleton className="h-40 rounded-2xl!" />}
        empty={<EmptyState icon={MailCheck} title={m.health_failed_none()} />}
      >
        <ul
          aria-labelledby="health-failed"
          className="divide-y divide-line rounded-2xl border border-line bg-surface shadow-card"
        >
          {mails.map((mail) => (
            <FailedMailItem key={mail.id} mail={mail} />
          ))}
        </ul>
      </PagedList>
    </section>
  )
}

const ERRORS: Record<FailedMail['error'], () => string> = {
  refused: m.health_mail_refused,
  busy: m.health_mail_busy,
  login: m.health_mail_login,
  unreachable: m.health_mail_unreachable,
  encryption: m.health_mail_encryption,
  no_address: m.health_mail_no_address,
  fault: m.health_mail_fault,
}

function FailedMailItem({ mail }: { mail: FailedMail }) {
  const retry = useRetryMails()
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-0.5 px-5 py-4 sm:px-6">
      <div id={`mail-${mail.id}`} className="col-span-2 grid min-w-0 gap-0.5 sm:col-span-1">
        <p className="flex flex-wrap gap-x-3">
          <span className="font-bold">{mailKindName(mail.kind, getLocale())}</span>
          <span className="text-ink-soft">{mail.to ? verbatim(mail.to, mail.to) : m.health_mail_no_account()}</span>
        </p>
        <p className="text-danger">
          {ERRORS[mail.error]()}
          {mail.response !== null && verbatim(` (${mail.response})`, mail.response)}
        </p>
      </div>
      <p className="text-sm text-ink-soft">
        <DateTime iso={mail.failed_at} />
      </p>
      <Button
        icon={RotateCcw}
        pending={retry.isPending}
        aria-describedby={`mail-${mail.id}`}
        className="sm:col-start-2 sm:row-span-2 sm:row-start-1"
        onClick={() => retry.mutate({ id: mail.id })}
      >
        {m.health_retry()}
      </Button>
    </li>
  )
}

/** Sends what waits for its next try right away. */
export function SendWaitingMails({ className }: { className?: string }) {
  const retry = useRetryMails()
  return (
    <Button pending={retry.isPending} className={className} onClick={() => retry.mutate('waiting')}>
      {m.health_hurry()}
    </Button>
  )
}
