import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Preferences as Choices } from '#contract/preferences.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { Checkbox } from '~/ui/Checkbox'
import { ErrorState } from '~/ui/ErrorState'
import { Select } from '~/ui/Select'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { ProfileSection } from './ProfileSection.tsx'

/** Each language by its own name, as in the language switch. */
const LANGUAGES: { value: Locale; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'fr-CA', label: 'Français' },
]

/** Shows the choices about language and emails. Each is saved as soon as it changes, without a button. */
export function Preferences() {
  const { data, error, refetch } = useQuery(preferencesQuery)
  const { mutate, isSuccess } = useUpdatePreferences()
  return (
    <ProfileSection
      title={m.profile_choices()}
      intro={m.profile_choices_intro()}
      aside={<SavedStatus shown={isSuccess} />}
    >
      {data ? (
        <PreferenceControls preferences={data} onChange={mutate} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <PreferencesSkeleton />
      )}
    </ProfileSection>
  )
}

type PreferenceControlsProps = { preferences: Choices; onChange: (change: Partial<Choices>) => void }

function PreferenceControls({ preferences, onChange }: PreferenceControlsProps) {
  return (
    <div className="grid gap-4">
      <Select
        label={m.profile_language()}
        hint={m.profile_language_hint()}
        options={LANGUAGES}
        value={preferences.locale}
        onChange={({ target }) => onChange({ locale: target.value as Locale })}
      />
      <div className="grid gap-1">
        <Checkbox
          label={<LabelWithHint hint={m.profile_email_messages_hint()}>{m.profile_email_messages()}</LabelWithHint>}
          checked={preferences.email_messages}
          onChange={({ target }) => onChange({ email_messages: target.checked })}
        />
        {/* stays a choice without emails about new messages: it is also about emails with replies */}
        <div className="pl-9">
          <Checkbox
            label={<LabelWithHint hint={m.profile_email_text_hint()}>{m.profile_email_text()}</LabelWithHint>}
            checked={preferences.email_message_text}
            onChange={({ target }) => onChange({ email_message_text: target.checked })}
          />
        </div>
      </div>
    </div>
  )
}

function SavedStatus({ shown }: { shown: boolean }) {
  return (
    <p role="status" className="flex items-center gap-1.5 text-sm font-semibold text-good empty:hidden">
      {shown && (
        <>
          <Check aria-hidden="true" className="size-4" />
          {m.profile_saved()}
        </>
      )}
    </p>
  )
}

function LabelWithHint({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <span className="grid gap-0.5">
      <span className="font-bold">{children}</span>
      <span className="text-sm text-ink-soft">{hint}</span>
    </span>
  )
}

function PreferencesSkeleton() {
  return (
    <Loading>
      <div className="grid gap-5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-6 w-64" />
        <Skeleton className="h-6 w-72" />
      </div>
    </Loading>
  )
}
