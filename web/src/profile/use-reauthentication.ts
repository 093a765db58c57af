import { type ComponentType, useState } from 'react'
import { apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { loadModule } from '~/lib/http/load-module'
import type { ReauthenticateDialogProps } from './ReauthenticateDialog.tsx'

type Options = {
  /** Called when the dialog cannot be loaded. */
  onFailure: (failure: AuthFailure) => void
  /** Called right before it opens, to close another one. */
  onOpen?: () => void
}

/** Asks for the password or an emailed code again, in a dialog that is loaded when it is first needed (null before). */
export function useReauthentication({ onFailure, onOpen }: Options) {
  const [Dialog, setDialog] = useState<ComponentType<ReauthenticateDialogProps> | null>(null)
  const [isOpen, setOpen] = useState(false)
  return {
    Dialog,
    isOpen,
    async open() {
      try {
        const { ReauthenticateDialog } = await loadModule(import('./ReauthenticateDialog.tsx'))
        onOpen?.()
        setDialog(() => ReauthenticateDialog)
        setOpen(true)
      } catch (error) {
        onFailure(apiFailure(error))
      }
    },
    close: () => setOpen(false),
  }
}
