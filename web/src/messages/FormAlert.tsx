import clsx from 'clsx'
import { CircleAlert, Clock } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { ApiError, errorMessage } from '~/lib/http/api'
import { currentPath, Link } from '~/lib/i18n/i18n'
import { formatTimeUntil } from '~/lib/time/dates'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

const TOO_MANY_REQUESTS = 429
const SERVER_FAULT = 500

/**
 * Why a form was not sent, where no single field is to blame, and what to do about it. Inside the form: it can send it
 * again. A limit is no mistake of anybody's, and looks calmer.
 */
export function FormAlert({ error }: { error: unknown }) {
  if (error === null) return null
  const refusal = error instanceof ApiError ? error : undefined
  const mayPass = refusal && (refusal.status === 0 || refusal.status >= SERVER_FAULT)
  const limited = refusal?.status === TOO_MANY_REQUESTS
  const Icon = limited ? Clock : CircleAlert
  return (
    <div
      role="alert"
      className={clsx(
        'flex items-start gap-3 rounded-xl border p-4',
        limited ? 'border-warn/30 bg-warn-soft' : 'border-danger/30 bg-danger-soft',
      )}
    >
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-5 shrink-0', limited ? 'text-warn' : 'text-danger')} />
      <div className="grid justify-items-start gap-2">
        <p className={clsx('font-bold', !limited && 'text-danger')}>
          {typeof error === 'string' ? error : errorMessage(error)}
        </p>
        {mayPass && (
          <>
            <p>{m.send_kept()}</p>
            <Button type="submit">{m.action_retry()}</Button>
          </>
        )}
        {limited && (
          <p>
            {refusal.retryAfter !== undefined && m.send_retry_in({ when: formatTimeUntil(refusal.retryAfter) })}{' '}
            {m.send_text_kept()}
          </p>
        )}
        {refusal?.code === 'email_not_confirmed' && (
          <Link to={paths.verifyEmail()} className="link inline-flex min-h-11 items-center">
            {m.send_confirm_email()}
          </Link>
        )}
        {refusal?.status === 401 && (
          <Link to={paths.login(currentPath())} className="link inline-flex min-h-11 items-center">
            {m.action_log_in()}
          </Link>
        )}
      </div>
    </div>
  )
}
