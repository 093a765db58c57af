import { Download } from 'lucide-react'
import { useState } from 'react'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { loadModule } from '~/lib/http/load-module'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'
import { useReauthentication } from './use-reauthentication.tsx'

/** Downloads everything stored about the user as a file. Asks whether it is still them first when the session is not fresh. */
export function DataExport() {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { withFreshSession, dialog } = useReauthentication(m.profile_again_text())

  const download = async () => {
    setFailure(null)
    setPending(true)
    try {
      const { downloadExport } = await loadModule(import('./download-export.ts'))
      await withFreshSession(async (headers) => {
        await downloadExport(headers)
        toast.success(m.profile_data_done())
      })
    } catch (error) {
      setFailure(apiFailure(error))
    }
    setPending(false)
  }

  return (
    <ProfileSection title={m.profile_data()} intro={m.profile_data_intro()}>
      <AuthFailureAlert failure={failure} />
      <Button
        className={sectionButtonClass}
        pending={pending}
        pendingText={m.profile_data_preparing()}
        onClick={() => void download()}
      >
        <Download aria-hidden="true" className="size-5" />
        {m.profile_data_download()}
      </Button>
      {dialog}
    </ProfileSection>
  )
}
