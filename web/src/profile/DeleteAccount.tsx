import { type ComponentType, useRef, useState } from 'react'
import { loadModule } from '~/lib/http/load-module'
import { useAttempt } from '~/lib/http/use-attempt'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import type { DeleteAccountDialogProps } from './DeleteAccountDialog.tsx'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'

/** Leads to the deletion of the account, whose dialog is loaded when it is first needed. */
export function DeleteAccount() {
  const [Dialog, setDialog] = useState<ComponentType<DeleteAccountDialogProps> | null>(null)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { failure, attempt } = useAttempt()

  const openDialog = async () => {
    const { DeleteAccountDialog } = await loadModule(import('./DeleteAccountDialog.tsx'))
    setDialog(() => DeleteAccountDialog)
    setOpen(true)
  }
  return (
    <ProfileSection title={m.profile_delete()} intro={m.profile_delete_intro()} danger>
      <AnnouncedFailure failure={failure} />
      <Button
        ref={button}
        className={`${sectionButtonClass} border-danger/60! text-danger!`}
        onClick={() => void attempt(openDialog)}
      >
        {m.profile_delete_ask()}
      </Button>
      {Dialog && <Dialog open={open} onOpenChange={setOpen} focusAfter={() => button.current} />}
    </ProfileSection>
  )
}
