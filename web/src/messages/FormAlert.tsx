import { paths } from '#contract/paths.ts'
import { formatTimeUntil } from '~/lib/dates/dates'
import { ApiError, errorMessage } from '~/lib/http/api'
import { currentPath, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { FailureAlert } from '~/ui/FailureAlert'

const TOO_MANY_REQUESTS = 429
const INTERNAL_SERVER_ERROR = 500

/**
 * Says why a form was not sent, where no single field is to blame, and what to do about it. Belongs inside the form,
 * because its button submits it again.
 */
export function FormAlert({ error }: { error: unknown }) {
  if (error === null) return null
  const apiError = error instanceof ApiError ? error : undefined
  const canRetry = apiError && (apiError.status === 0 || apiError.status >= INTERNAL_SERVER_ERROR)
  const isLimited = apiError?.status === TOO_MANY_REQUESTS
  return (
    <FailureAlert
      role="alert"
      tone={isLimited ? 'warn' : 'danger'}
      title={typeof error === 'string' ? error : errorMessage(error)}
      plainText
      contentClassName="justify-items-start gap-2"
    >
      {canRetry && (
        <>
          <p>{m.send_kept()}</p>
          <Button type="submit">{m.action_retry()}</Button>
        </>
      )}
      {isLimited && (
        <p>
          {apiError.retryAfterS !== undefined && m.send_retry_in({ when: formatTimeUntil(apiError.retryAfterS) })}{' '}
          {m.send_text_kept()}
        </p>
      )}
      {apiError?.code === 'email_not_confirmed' && (
        <Link to={paths.verifyEmail(currentPath())} className="link inline-flex min-h-11 items-center">
          {m.send_confirm_email()}
        </Link>
      )}
      {apiError?.status === 401 && (
        <Link to={paths.login(currentPath())} className="link inline-flex min-h-11 items-center">
          {m.action_log_in()}
        </Link>
      )}
    </FailureAlert>
  )
}
