import { Download } from 'lucide-react'
import { useState } from 'react'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { ApiError } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ProfileSection, sectionButtonClass } from './ProfileSection.tsx'

type ReauthenticateModule = typeof import('./ReauthenticateDialog.tsx')

/** Waits for a module that only few users need, and throws `ApiError` when it cannot be loaded. */
const loadModule = <T,>(module: Promise<T>) =>
  module.catch((): never => {
    throw new ApiError(0, undefined)
  })

/** Downloads everything stored about the user as a file. Asks for the password first when the session is not fresh. */
export function DataExport() {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const [reauthenticating, setReauthenticating] = useState(false)
  const [{ ReauthenticateDialog }, setLoaded] = useState<Partial<ReauthenticateModule>>({})

  const download = async (token?: string) => {
    setFailure(null)
    setPending(true)
    try {
      const { downloadExport } = await loadModule(import('./download-export.ts'))
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
      setLoaded(await loadModule(import('./ReauthenticateDialog.tsx')))
      setReauthenticating(true)
    } catch (error) {
      setFailure(apiFailure(error))
    }
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
