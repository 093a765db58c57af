import { useState } from 'react'
import {
  ACCOUNT_LINK_ACTIONS,
  type AccountLinkAction,
  type AccountLinkState,
  followAccountLink,
} from '#contract/email-change.ts'
import { paths } from '#contract/paths.ts'
import { AuthForm } from '~/auth/AuthForm'
import { hydrated } from '~/auth/Opened'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'

export const meta = () => privatePageMeta(m.account_link_page_title())

const DAMAGED = { title: m.account_link_page_title, text: m.account_link_damaged }

type AccountLink = { action: AccountLinkAction; token: string }

/** Reads the link from the fragment, which is sent to no server and no other site. Returns null when the link is damaged. */
function readAccountLink(hash: string): AccountLink | null {
  const values = new URLSearchParams(hash.slice(1))
  const [action, token] = [ACCOUNT_LINK_ACTIONS.find((known) => known === values.get('do')), values.get('token')]
  return action && token ? { action, token } : null
}

const QUESTIONS: Record<AccountLinkAction, { title: () => string; text: () => string; button: () => string }> = {
  confirm: { title: m.account_link_confirm_title, text: m.account_link_confirm_text, button: m.account_link_confirm },
  undo: { title: m.account_link_undo_title, text: m.account_link_undo_text, button: m.account_link_undo },
}

const OUTCOMES: Record<AccountLinkState, { title: () => string; text: () => string }> = {
  waiting: { title: m.account_link_waiting_title, text: m.account_link_waiting_text },
  changed: { title: m.account_link_changed_title, text: m.account_link_changed_text },
  undone: { title: m.account_link_undone_title, text: m.account_link_undone_text },
}

/**
 * Renders /account-link, where the links in emails about an account lead: they confirm a change of its address (decision email-change),
 * or undo what somebody else did to it (decision mailbox-keeps-the-account). Only its button does what the link is for: mail scanners
 * open links, and people open them by mistake.
 */
export default hydrated(function AccountLinkPage() {
  const [link] = useState(() => readAccountLink(location.hash))
  const [outcome, setOutcome] = useState<AccountLinkState | null>(null)
  const form = useForm({
    async onSubmit() {
      if (link) setOutcome((await call(followAccountLink, link)).state)
    },
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
        {(outcome || !link) && (
          <ButtonLink to={paths.login()} variant="primary" size="lg">
            {m.action_log_in()}
          </ButtonLink>
        )}
      </Card>
    </>
  )
})
