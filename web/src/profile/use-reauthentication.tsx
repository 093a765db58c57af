import { type ComponentType, useState } from 'react'
import { type OpenedSession, withToken } from '~/auth/second-factor/reauthenticate'
import { ApiError } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'
import type { ReauthenticateDialogProps } from './ReauthenticateDialog.tsx'

type Answer = OpenedSession | null

/**
 * Asks for the password or an emailed code again, in a dialog (`dialog`) that is loaded when it is first needed.
 *
 * @param reason why it is asked
 */
export function useReauthentication(reason: string) {
  const [Dialog, setDialog] = useState<ComponentType<ReauthenticateDialogProps> | null>(null)
  const [answer, setAnswer] = useState<((session: Answer) => void) | null>(null)
  /** Resolves with a fresh session, which the caller ends or makes that of this browser; null when the dialog was closed. */
  const ask = async (): Promise<Answer> => {
    const { ReauthenticateDialog } = await loadModule(import('./ReauthenticateDialog.tsx'))
    setDialog(() => ReauthenticateDialog)
    return new Promise((resolve) => setAnswer(() => resolve))
  }
  const close = (session: Answer) => {
    setAnswer(null)
    answer?.(session)
  }
  return {
    ask,
    isAsking: answer !== null,
    dialog: Dialog && <Dialog open={answer !== null} reason={reason} onClose={close} />,
    /** Does what the server may want a fresh session for, which is ended afterwards. Returns false when the dialog was closed. */
    async withFreshSession(work: (headers: Record<string, string>) => Promise<void>): Promise<boolean> {
      try {
        await work({})
        return true
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'sign_in_again')) throw error
      }
      const session = await ask()
      if (session) await withToken(session, (token) => work({ authorization: `Bearer ${token}` }))
      return session !== null
    },
  }
}
