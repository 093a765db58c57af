import { CircleAlert } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { ApiError, errorMessage } from '~/lib/api'
import { Link } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

const MINUTE_S = 60
const SERVER_FAULT = 500

/** Why a form was not sent, where no single field is to blame, and what to do about it. Inside the form: it can send it again. */
export function FormAlert({ error }: { error: unknown }) {
  if (error === null) return null
  const refusal = error instanceof ApiError ? error : undefined
  const mayPass = refusal && (refusal.status === 0 || refusal.status >= SERVER_FAULT)
  return (
    <div role="alert" className="flex items-start gap-3 rounded-xl border border-danger/30 bg-danger-soft p-4">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-danger" />
      <div className="grid justify-items-start gap-2">
        <p className="font-bold text-danger">{typeof error === 'string' ? error : errorMessage(error)}</p>
        {mayPass && (
          <>
            <p>{m.send_kept()}</p>
            <Button type="submit">{m.action_retry()}</Button>
          </>
        )}
        {refusal?.retryAfter !== undefined && !mayPass && (
          <p>{m.send_retry_in({ minutes: Math.ceil(refusal.retryAfter / MINUTE_S) })}</p>
        )}
        {refusal?.code === 'email_not_confirmed' && (
          <Link to={paths.verifyEmail()} className="link inline-flex min-h-11 items-center">
            {m.send_confirm_email()}
          </Link>
        )}
        {refusal?.status === 401 && (
          <Link to={paths.login(paths.send())} className="link inline-flex min-h-11 items-center">
            {m.action_log_in()}
          </Link>
        )}
      </div>
    </div>
  )
}
