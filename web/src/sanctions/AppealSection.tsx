import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { APPEAL_TEXT_MAX, makeAppeal, type OwnSanction } from '#contract/sanctions.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { focusOnMount } from '~/auth/focus-on-mount'
import { SubmitButton } from '~/auth/SubmitButton'
import { formatDate } from '~/lib/dates/dates'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { TextArea } from '~/ui/TextArea'

type Props = { sanction: OwnSanction; token: string | undefined }

/** Shows the status of the appeal against a decision: the form while it can be appealed, a sentence otherwise. */
export function AppealSection({ sanction, token }: Props) {
  const [sent, setSent] = useState(false)
  return (
    <>
      {/* on the page before its text, so that screen readers announce it */}
      <div role="status" className="empty:hidden">
        {sent && <Sent />}
      </div>
      {!sent &&
        (sanction.appeal === 'open' ? (
          <AppealForm sanction={sanction} token={token} onSent={() => setSent(true)} />
        ) : (
          <p className="rounded-xl bg-sunken p-4">{STATES[sanction.appeal]()}</p>
        ))}
    </>
  )
}

const STATES: Record<Exclude<OwnSanction['appeal'], 'open'>, () => string> = {
  made: m.appeal_made,
  kept: m.appeal_kept,
  lifted: m.appeal_lifted,
  late: m.appeal_late,
}

function Sent() {
  return (
    <Card className="grid justify-items-start gap-3">
      <CircleCheck aria-hidden="true" className="size-8 text-good" />
      <h2 ref={focusOnMount} tabIndex={-1} className="text-xl font-bold outline-none">
        {m.appeal_sent_title()}
      </h2>
      <p>{m.appeal_sent_text()}</p>
    </Card>
  )
}

const validate = ({ text }: { text: string }) => ({
  text: !hasVisibleCharacter(text)
    ? m.appeal_text_missing()
    : Array.from(text.trim()).length <= APPEAL_TEXT_MAX || m.appeal_text_too_long({ max: APPEAL_TEXT_MAX }),
})

function AppealForm({ sanction, token, onSent }: Props & { onSent: () => void }) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm({
    defaultValues: { text: '' },
    validate,
    async onSubmit({ text }) {
      setFailure(null)
      const input = { text: text.trim(), ...(token !== undefined && { token }) }
      try {
        await call(makeAppeal, input, { withTimeout: true, ...(token === undefined && { asUser: true as const }) })
      } catch (error) {
        return setFailure(apiFailure(error))
      }
      onSent()
    },
  })
  return (
    <Card>
      <form method="post" noValidate className="grid gap-5" {...form.formProps}>
        <div className="grid gap-1.5">
          <h2 className="text-xl font-bold">{m.appeal_title()}</h2>
          <p className="text-ink-soft">{m.appeal_intro({ date: formatDate(sanction.appealable_until) })}</p>
        </div>
        <TextArea label={m.appeal_text()} rows={7} maxCharacters={APPEAL_TEXT_MAX} {...form.register('text')} />
        <AuthFailureAlert failure={failure} />
        <SubmitButton pending={form.pending} pendingText={m.appeal_pending()}>
          {m.appeal_submit()}
        </SubmitButton>
      </form>
    </Card>
  )
}
