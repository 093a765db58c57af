import { Download } from 'lucide-react'
import { useState } from 'react'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { ApiError } from '~/lib/api'
import { toast } from '~/lib/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { downloadExport } from './download-export.ts'
import { failureOf } from './failures.ts'
import { Section, sectionButton } from './Section.tsx'
import { SignInAgain } from './SignInAgain.tsx'

/** Everything kept about the person, as a file. A session that is not fresh asks for the password first. */
export function OwnData() {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const [asking, setAsking] = useState(false)

  const download = async (token?: string) => {
    setFailure(null)
    setPending(true)
    try {
      await downloadExport(token)
      toast.success(m.profile_data_done())
    } catch (error) {
      if (error instanceof ApiError && error.code === 'sign_in_again') setAsking(true)
      else setFailure(failureOf(error))
    }
    setPending(false)
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
      <SignInAgain
        open={asking}
        onClose={() => setAsking(false)}
        onSignedIn={async (token) => {
          setAsking(false)
          await download(token)
        }}
      />
    </Section>
  )
}
