import { useState } from 'react'
import {
  EMAIL_LINK_ACTIONS,
  type EmailLinkAction,
  type EmailLinkState,
  followEmailLink,
} from '#contract/email-change.ts'
import { paths } from '#contract/paths.ts'
import { AuthForm, useAuthForm } from '~/auth/AuthForm'
import { hydrated } from '~/auth/Opened'
import { call } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'

export const meta = () => privatePageMeta(m.email_link_page_title())

const DAMAGED = { title: m.email_link_page_title, text: m.email_link_damaged }

type EmailLink = { action: EmailLinkAction; token: string }

/** Reads the link from the fragment, which is sent to no server and no other site. Returns null when the link is damaged. */
function readEmailLink(hash: string): EmailLink | null {
  const values = new URLSearchParams(hash.slice(1))
  const [action, token] = [EMAIL_LINK_ACTIONS.find((known) => known === values.get('do')), values.get('token')]
  return action && token ? { action, token } : null
}

const QUESTIONS: Record<EmailLinkAction, { title: () => string; text: () => string; button: () => string }> = {
  confirm: { title: m.email_link_confirm_title, text: m.email_link_confirm_text, button: m.email_link_confirm },
  stop: { title: m.email_link_stop_title, text: m.email_link_stop_text, button: m.email_link_stop },
  undo: { title: m.email_link_undo_title, text: m.email_link_undo_text, button: m.email_link_undo },
}

const OUTCOMES: Record<EmailLinkState, { title: () => string; text: () => string }> = {
  waiting: { title: m.email_link_waiting_title, text: m.email_link_waiting_text },
  changed: { title: m.email_link_changed_title, text: m.email_link_changed_text },
  stopped: { title: m.email_link_stopped_title, text: m.email_link_stopped_text },
  undone: { title: m.email_link_undone_title, text: m.email_link_undone_text },
}

/**
 * Renders /email-change, where the links about a change of address lead (decision email-change). Only its button does what the link is
 * for: mail scanners open links, and people open them by mistake.
 */
export default hydrated(function EmailChangePage() {
  const [link] = useState(() => readEmailLink(location.hash))
  const [outcome, setOutcome] = useState<EmailLinkState | null>(null)
  const form = useAuthForm({
    onSubmit: async () => link && setOutcome((await call(followEmailLink, link)).state),
  })

  const { title, text } = outcome ? OUTCOMES[outcome] : link ? QUESTIONS[link.action] : DAMAGED
  return (
    <>
      <PageHeader title={title()} />
      <Card className="grid gap-5">
        {link && !outcome ? (
          <AuthForm
            form={form}
            submitText={QUESTIONS[link.action].button()}
            pendingText={QUESTIONS[link.action].button()}
          >
            <p>{text()}</p>
          </AuthForm>
        ) : (
          <p role={outcome ? 'status' : undefined}>{text()}</p>
        )}
        {outcome === 'changed' && (
          <ButtonLink to={paths.login()} variant="primary" size="lg">
            {m.action_log_in()}
          </ButtonLink>
        )}
      </Card>
    </>
  )
})
