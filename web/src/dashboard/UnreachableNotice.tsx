import { MailX } from 'lucide-react'
import { useId, useState } from 'react'
import { emailCode } from '~/auth/pending-sign-up'
import { Reauthentication } from '~/auth/second-factor/Reauthentication'
import { endOpened, type OpenedSession } from '~/auth/second-factor/reauthenticate'
import { useAttempt } from '~/lib/http/use-attempt'
import { verbatim } from '~/lib/i18n/verbatim'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'

type Props = { email: string; queryKey: readonly unknown[] }

/** Says that emails come back, and checks whether one arrives: by a code, which ends it (decision returned-emails). */
export function UnreachableNotice({ email, queryKey }: Props) {
  const title = useId()
  const { pending, failure, attempt } = useAttempt()
  const [isSent, setSent] = useState(false)
  const check = async () => {
    await emailCode(email, false)
    setSent(true)
  }
  const finish = async (session: OpenedSession) => {
    await endOpened(session)
    await queryClient.invalidateQueries({ queryKey })
    toast.success(m.dashboard_email_arrives())
  }
  return (
    <section
      aria-labelledby={title}
      className="grid gap-x-6 gap-y-3 rounded-xl bg-signal-soft p-4 sm:grid-cols-[1fr_auto] sm:items-center"
    >
      <div className="grid gap-0.5">
        <h2 id={title} className="flex items-start gap-2 leading-snug font-bold">
          <MailX aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{verbatim(m.dashboard_email_returned({ email }), email)}</span>
        </h2>
        <p className="pl-7">{isSent ? m.dashboard_email_none() : m.dashboard_email_returned_text()}</p>
      </div>
      {isSent ? (
        <div className="sm:col-span-full">
          <Reauthentication isCodeSent onOpened={finish} />
        </div>
      ) : (
        <Button variant="primary" pending={pending !== null} onClick={() => void attempt(check)}>
          {m.dashboard_email_check()}
        </Button>
      )}
      <AnnouncedFailure failure={failure} />
    </section>
  )
}
