import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { Checkbox } from '~/ui/Checkbox'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { ProfileSection } from './ProfileSection.tsx'

/** Shows the choices about emails. Each is saved as soon as it changes, without a button. */
export function EmailPreferences() {
  const { data, error, refetch } = useQuery(preferencesQuery)
  const { mutate, isSuccess } = useUpdatePreferences()
  return (
    <ProfileSection title={m.profile_emails()} aside={<SavedStatus shown={isSuccess} />}>
      {data ? (
        <div className="grid gap-2">
          <Checkbox
            label={<strong>{m.profile_email_messages()}</strong>}
            hint={m.profile_email_messages_hint()}
            checked={data.email_messages}
            onChange={({ target }) => mutate({ email_messages: target.checked })}
          />
          {/* stays a choice without emails about new messages: it is also about emails with replies */}
          <Checkbox
            label={<strong>{m.profile_email_text()}</strong>}
            hint={m.profile_email_text_hint()}
            checked={data.email_message_text}
            onChange={({ target }) => mutate({ email_message_text: target.checked })}
          />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-44 w-full" />
        </Loading>
      )}
    </ProfileSection>
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
