import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { Checkbox } from '~/ui/Checkbox'
import { Loaded, ProfileSection } from './frame/ProfileSection.tsx'

/** Shows the choices about emails. Each is saved as soon as it changes, without a button. */
export function EmailPreferences() {
  const { mutate, isSuccess } = useUpdatePreferences()
  return (
    <ProfileSection title={m.profile_emails()} aside={<SavedStatus shown={isSuccess} />}>
      <Loaded query={useQuery(preferencesQuery)} height="h-44">
        {({ email_messages, email_message_text }) => (
          <div className="grid gap-2">
            <Checkbox
              label={<strong>{m.profile_email_messages()}</strong>}
              hint={m.profile_email_messages_hint()}
              checked={email_messages}
              onChange={({ target }) => mutate({ email_messages: target.checked })}
            />
            {/* stays a choice without emails about new messages: it is also about emails with replies */}
            <Checkbox
              label={<strong>{m.profile_email_text()}</strong>}
              hint={m.profile_email_text_hint()}
              checked={email_message_text}
              onChange={({ target }) => mutate({ email_message_text: target.checked })}
            />
          </div>
        )}
      </Loaded>
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
