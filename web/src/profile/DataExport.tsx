import { Download } from 'lucide-react'
import { useState } from 'react'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { ApiError } from '~/lib/http/api'
import { toast } from '~/lib/page/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ProfileSection, sectionButton } from './ProfileSection.tsx'
import type { ReauthenticateDialog as SignInAgainDialog } from './ReauthenticateDialog.tsx'

/** What few ever press, and nothing without a connection, is loaded when it is needed. */
const loadPart = <T,>(part: Promise<T>) =>
  part.catch((): never => {
    throw new ApiError(0, undefined)
  })

/** Everything kept about the person, as a file. A session that is not fresh asks for the password first. */
export function DataExport() {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const [reauthenticating, setReauthenticating] = useState(false)
  const [{ ReauthenticateDialog }, setLoaded] = useState<{ ReauthenticateDialog?: typeof SignInAgainDialog }>({})

  const download = async (token?: string) => {
    setFailure(null)
    setPending(true)
    try {
      const { downloadExport } = await loadPart(import('./download-export.ts'))
      await downloadExport(token)
      toast.success(m.profile_data_done())
    } catch (error) {
      if (error instanceof ApiError && error.code === 'sign_in_again') await openReauthentication()
      else setFailure(apiFailure(error))
    }
    setPending(false)
  }

  const openReauthentication = async () => {
    try {
      setLoaded(await loadPart(import('./ReauthenticateDialog.tsx')))
      setReauthenticating(true)
    } catch (error) {
      setFailure(apiFailure(error))
    }
  }

  return (
    <ProfileSection title={m.profile_data()} intro={m.profile_data_intro()}>
      <AuthFailureAlert failure={failure} />
      <Button
        className={sectionButton}
        pending={pending}
        pendingText={m.profile_data_preparing()}
        onClick={() => void download()}
      >
        <Download aria-hidden="true" className="size-5" />
        {m.profile_data_download()}
      </Button>
      {ReauthenticateDialog && (
        <ReauthenticateDialog
          open={reauthenticating}
          onClose={() => setReauthenticating(false)}
          onSignedIn={async (token) => {
            setReauthenticating(false)
            await download(token)
          }}
        />
      )}
    </ProfileSection>
  )
}
