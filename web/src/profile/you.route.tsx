import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FULL_NAME_MAX, shownEmail } from '#contract/auth.ts'
import { cancelEmailChange, type PendingEmailChange, resendEmailChange } from '#contract/email-change.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import { AuthForm, validateName } from '~/auth/AuthForm'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { queryClient } from '~/lib/query/query-client'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { EmailField, TextField } from '~/ui/Field'
import { SelectControl } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded, LoadedPart } from '~/ui/signed-in/LoadedPart'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { DeleteAccount } from './DeleteAccount.tsx'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'
import { Password } from './Password.tsx'
import { emailChangeQuery, signedInAuthRequest } from './queries.ts'

export const handle: RouteHandle = { prefetch: [emailChangeQuery, preferencesQuery] }

export const meta = () => privatePageMeta(m.profile_title())

/** Renders the first part of the profile, which has what requirements §2 lists for this address. */
export default function You() {
  return (
    <>
      <ProfileDetails />
      <Language />
      <Password />
      <DeleteAccount />
    </>
  )
}

const DRAFT_NAME = 'profile-name'

function validate({ fullName }: { fullName: string }) {
  const missing = validateName(fullName)
  if (missing !== true) return { fullName: missing }
  return { fullName: fullName.trim().length <= FULL_NAME_MAX || m.profile_name_too_long({ max: FULL_NAME_MAX }) }
}

/** Shows the full name, which is changed here, and the email address. */
function ProfileDetails() {
  const user = useUser()
  const stored: unknown = user.user_metadata['full_name']
  const name = typeof stored === 'string' ? stored : ''
  const { setValue, ...form } = useForm({
    defaultValues: { fullName: readDraftText(DRAFT_NAME) ?? name },
    validate,
    async onSubmit(values) {
      const fullName = values.fullName.trim()
      await signedInAuthRequest<unknown>(m.error_unexpected(), ({ auth }) =>
        auth.updateUser({ data: { full_name: fullName } }),
      )
      saveDraft(DRAFT_NAME, undefined)
      setValue('fullName', fullName)
      toast.success(m.profile_updated())
    },
  })

  useEffect(() => {
    if (readDraftText(DRAFT_NAME) === undefined) setValue('fullName', name) // it was changed elsewhere
  }, [name, setValue])

  return (
    <ProfileSection title={m.profile_details()} intro={m.profile_details_intro()}>
      <AuthForm
        form={form}
        submitText={m.profile_save()}
        pendingText={m.profile_saving()}
        submitClass={sectionButtonClass}
        onChange={() => saveDraft(DRAFT_NAME, form.getValues().fullName)}
      >
        <TextField label={m.profile_name()} autoComplete="name" {...form.register('fullName')} />
      </AuthForm>
      <EmailAddress />
    </ProfileSection>
  )
}

const LANGUAGES = LOCALES.map((locale) => ({ value: locale, label: m.language_name({}, { locale }) }))

/** Shows the language of the account. A change is saved at once, and the page opens in it. */
function Language() {
  const { mutate } = useUpdatePreferences()
  return (
    <ProfileSection title={m.profile_language()} intro={m.profile_language_hint()}>
      <Loaded query={useQuery(preferencesQuery)} skeleton={<Skeleton className="h-12 w-full" />}>
        {({ locale }) => (
          <SelectControl
            aria-label={m.profile_language()}
            options={LANGUAGES}
            value={locale}
            onChange={({ target }) => mutate({ locale: target.value as Locale })}
          />
        )}
      </Loaded>
    </ProfileSection>
  )
}

// loaded on demand: it checks addresses, and few people change theirs
const loadNewAddressForm = () => import('./NewAddressForm.tsx')

/** Shows the address of the account, a change that waits for confirmation from its mailboxes, and the form that requests one. */
function EmailAddress() {
  const email = shownEmail(useUser())
  const { data, error, refetch } = useQuery(emailChangeQuery)
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="grid gap-4">
      <EmailField label={m.auth_email()} readOnly value={email} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.pending ? (
        <PendingChange email={email} pending={data.pending} />
      ) : isAsking ? (
        <LoadedPart name="new address" load={loadNewAddressForm} skeleton={<Skeleton className="h-12 w-full" />}>
          {({ NewAddressForm }) => <NewAddressForm email={email} onDone={() => setAsking(false)} />}
        </LoadedPart>
      ) : (
        <Button className={sectionButtonClass} onClick={() => setAsking(true)}>
          {m.email_change_ask()}
        </Button>
      )}
    </div>
  )
}

function PendingChange({ email, pending }: { email: string; pending: PendingEmailChange }) {
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async (what: 'resend' | 'cancel') => {
      await (what === 'resend' ? call(resendEmailChange, {}) : call(cancelEmailChange, {}))
    },
    onError: () => {}, // shown below
    onSuccess: (_, what) => toast.success(what === 'resend' ? m.email_change_resent() : m.email_change_cancelled()),
    onSettled: () => queryClient.invalidateQueries({ queryKey: emailChangeQuery.queryKey }),
  })
  return (
    <div className="grid gap-5">
      <p>{m.email_change_waiting()}</p>
      <ul className="grid divide-y divide-line *:first:pt-0 *:last:pb-0">
        <Mailbox address={email} confirmed={pending.current_confirmed} />
        <Mailbox address={pending.new_email} confirmed={pending.new_confirmed} />
      </ul>
      <p className="text-sm text-ink-soft">
        {m.email_change_until()} <DateTime iso={pending.expires_at} />
      </p>
      <AnnouncedFailure failure={error} />
      <div className="flex flex-wrap gap-3">
        <Button pending={isPending && variables === 'resend'} onClick={() => mutate('resend')}>
          {m.email_change_resend()}
        </Button>
        <Button variant="ghost" pending={isPending && variables === 'cancel'} onClick={() => mutate('cancel')}>
          {m.email_change_cancel()}
        </Button>
      </div>
    </div>
  )
}

function Mailbox({ address, confirmed }: { address: string; confirmed: boolean }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-3">
      <span translate="no" className="font-bold">
        {address}
      </span>
      <Badge tone={confirmed ? 'good' : 'neutral'}>
        {confirmed ? m.email_change_confirmed() : m.email_change_to_confirm()}
      </Badge>
    </li>
  )
}
