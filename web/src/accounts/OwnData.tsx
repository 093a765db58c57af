import { Download } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '~/auth/api-failure'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { ApiError } from '~/lib/api'
import { toast } from '~/lib/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Section, sectionButton } from './Section.tsx'
import type { SignInAgain as SignInAgainDialog } from './SignInAgain.tsx'

/** What few ever press, and nothing without a connection, is loaded when it is needed. */
const loaded = <T,>(part: Promise<T>) =>
  part.catch((): never => {
    throw new ApiError(0, undefined)
  })

/** Everything kept about the person, as a file. A session that is not fresh asks for the password first. */
export function OwnData() {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const [asking, setAsking] = useState(false)
  const [{ SignInAgain }, setLoaded] = useState<{ SignInAgain?: typeof SignInAgainDialog }>({})

  const download = async (token?: string) => {
    setFailure(null)
    setPending(true)
    try {
      const { downloadExport } = await loaded(import('./download-export.ts'))
      await downloadExport(token)
      toast.success(m.profile_data_done())
    } catch (error) {
      if (error instanceof ApiError && error.code === 'sign_in_again') await ask()
      else setFailure(failureOf(error))
    }
    setPending(false)
  }

  const ask = async () => {
    try {
      setLoaded(await loaded(import('./SignInAgain.tsx')))
      setAsking(true)
    } catch (error) {
      setFailure(failureOf(error))
    }
  }

  return (
    <Section title={m.profile_data()} intro={m.profile_data_intro()}>
      <FailureNotice failure={failure} />
      <Button
        className={sectionButton}
        pending={pending}
        pendingText={m.profile_data_preparing()}
        onClick={() => void download()}
      >
        <Download aria-hidden="true" className="size-5" />
        {m.profile_data_download()}
      </Button>
      {SignInAgain && (
        <SignInAgain
          open={asking}
          onClose={() => setAsking(false)}
          onSignedIn={async (token) => {
            setAsking(false)
            await download(token)
          }}
        />
      )}
    </Section>
  )
}
