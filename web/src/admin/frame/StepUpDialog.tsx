import { useQuery } from '@tanstack/react-query'
import { FactorChallenge } from '~/auth/second-factor/FactorChallenge'
import { m } from '~/paraglide/messages'
import { factorsQuery } from '~/profile/queries'
import { Skeleton } from '~/ui/Skeleton'
import { Dialog } from '~/ui/signed-in/Dialog'
import { Loaded } from '~/ui/signed-in/LoadedPart'

type Props = {
  open: boolean
  /** Called with whether the factor was given. */
  onClose: (given: boolean) => void
}

/** Asks for a second factor before something that cannot be undone, when the last one was a while ago. */
export function StepUpDialog({ open, onClose }: Props) {
  const factors = useQuery({ ...factorsQuery, enabled: open })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose(false)}
      title={m.step_up_title()}
      description={m.step_up_text()}
    >
      <Loaded query={factors} skeleton={<Skeleton className="h-12 w-full" />}>
        {(loaded) => <FactorChallenge factors={loaded} onVerified={() => onClose(true)} />}
      </Loaded>
    </Dialog>
  )
}
