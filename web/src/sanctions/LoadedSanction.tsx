import { CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { paths } from '#contract/paths.ts'
import {
  APPEAL_TEXT_MAX,
  getOwnSanction,
  isLasting,
  LIMITED_MESSAGES_PER_DAY,
  makeAppeal,
  type OwnSanction,
  type SanctionKind,
} from '#contract/sanctions.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { AuthForm, focusOnMount } from '~/auth/AuthForm'
import { useOpened } from '~/auth/Opened'
import { formatDate } from '~/lib/dates/dates'
import { useForm } from '~/lib/form/use-form'
import { call, codeOf } from '~/lib/http/api'
import { isSignedIn } from '~/lib/session/tab-session'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { TextArea } from '~/ui/TextArea'

type Props = {
  /** Returns the token of an emailed link; without one, the newest sanction of the signed-in user is shown. */
  readToken?: () => string | undefined
  /** The title where it could not be loaded. */
  title: string
  /** The path of the page, to which signing in leads back. */
  path: string
  /** Shown when there is no sanction, in place of the error that says so. */
  none?: ReactNode
  children: (sanction: OwnSanction, token: string | undefined) => ReactNode
}

const SIGNED_OUT_CODES: unknown[] = ['signed_out', 'session_ended']

/** Shows a sanction once it has been loaded; meanwhile a skeleton, or why it failed. */
export function LoadedSanction({ readToken = () => undefined, title, path, none, children }: Props) {
  const [token] = useState(readToken)
  const logIn = (
    <ButtonLink to={paths.login(path)} variant="primary" size="lg">
      {m.action_log_in()}
    </ButtonLink>
  )
  const { data, placeholder } = useOpened<OwnSanction | 'none' | 'signed-out'>({
    title,
    async open(signal) {
      if (token === undefined && !isSignedIn()) return 'signed-out'
      const asker = token === undefined ? { asUser: true as const } : {}
      return call(getOwnSanction, { token }, { signal, ...asker }).catch((error: unknown) => {
        const code = codeOf(error)
        if (SIGNED_OUT_CODES.includes(code)) return 'signed-out'
        if (code === 'nothing_to_appeal' && none) return 'none'
        throw error
      })
    },
    wayOut(failure) {
      const code = codeOf(failure)
      if (code === 'appeal_link_invalid') return logIn
      return code === 'nothing_to_appeal' ? null : undefined // another try would find none either
    },
  })
  if (!data) return placeholder
  if (data === 'none') return none
  if (data !== 'signed-out') return children(data, token)
  return (
    <>
      <PageHeader title={title} />
      <Card className="grid gap-5">
        <p>{m.suspended_sign_in()}</p>
        {logIn}
      </Card>
    </>
  )
}

const TITLES: Record<SanctionKind, () => string> = {
  warn: m.sanction_title_warn,
  limit: m.sanction_title_limit,
  suspend: m.sanction_title_suspend,
  delete_message: m.sanction_title_delete_message,
}

const WHAT: Record<SanctionKind, () => string> = {
  warn: m.sanction_what_warn,
  limit: () => m.sanction_what_limit({ count: LIMITED_MESSAGES_PER_DAY }),
  suspend: m.sanction_what_suspend,
  delete_message: m.sanction_what_delete_message,
}

/** Names the kind of a sanction, for the person it is about. */
export const sanctionTitle = ({ kind }: OwnSanction): string => TITLES[kind]()

type PartsProps = {
  sanction: OwnSanction
  /** That of an emailed link; undefined for the signed-in user. */
  token: string | undefined
}

/** Shows a sanction to the person it is about, and the appeal against it. */
export const SanctionParts = (props: PartsProps) => (
  <>
    <SanctionSummary {...props} />
    <AppealSection {...props} />
  </>
)

/** Shows what was decided, by whom, why and for how long. */
function SanctionSummary({ sanction }: PartsProps) {
  const { kind, reason, created_at, ends_at, in_force } = sanction
  return (
    <Card className="grid gap-4">
      <p>{WHAT[kind]()}</p>
      {isLasting(kind) && (
        <p className="font-bold">
          {in_force
            ? ends_at
              ? m.sanction_until({ date: formatDate(ends_at) })
              : m.sanction_no_end()
            : m.sanction_over()}
        </p>
      )}
      <p>{m.sanction_person({ date: formatDate(created_at) })}</p>
      <div className="grid gap-1">
        <h2 className="text-sm text-ink-soft">{m.sanction_reason()}</h2>
        {reason === null ? (
          <p>{m.sanction_no_reason()}</p>
        ) : (
          <blockquote dir="auto" className="rounded-xl bg-sunken p-4 whitespace-pre-line">
            {reason}
          </blockquote>
        )}
      </div>
    </Card>
  )
}

/** Shows the status of the appeal against a decision: the form while it can be appealed, a sentence otherwise. */
function AppealSection({ sanction, token }: PartsProps) {
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

function AppealForm({ sanction, token, onSent }: PartsProps & { onSent: () => void }) {
  const form = useForm({
    defaultValues: { text: '' },
    validate,
    async onSubmit({ text }) {
      const input = { text: text.trim(), ...(token !== undefined && { token }) }
      await call(makeAppeal, input, { withTimeout: true, ...(token === undefined && { asUser: true as const }) })
      onSent()
    },
  })
  return (
    <Card>
      <AuthForm form={form} submitText={m.appeal_submit()} pendingText={m.appeal_pending()}>
        <div className="grid gap-1.5">
          <h2 className="text-xl font-bold">{m.appeal_title()}</h2>
          <p className="text-ink-soft">{m.appeal_intro({ date: formatDate(sanction.appealable_until) })}</p>
        </div>
        <TextArea label={m.appeal_text()} rows={7} maxCharacters={APPEAL_TEXT_MAX} {...form.register('text')} />
      </AuthForm>
    </Card>
  )
}
