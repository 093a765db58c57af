import { useQuery } from '@tanstack/react-query'
import { FactorChallenge } from '~/auth/second-factor/FactorChallenge'
import { m } from '~/paraglide/messages'
import { factorsQuery } from '~/profile/queries'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { Dialog } from '~/ui/signed-in/Dialog'

type Props = {
  open: boolean
  /** Called with whether the factor was given. */
  onClose: (given: boolean) => void
}

/** Asks for a second factor before something that cannot be undone, when the last one was a while ago. */
export function StepUpDialog({ open, onClose }: Props) {
  const { data: factors, error, refetch } = useQuery({ ...factorsQuery, enabled: open })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose(false)}
      title={m.step_up_title()}
      description={m.step_up_text()}
    >
      {factors ? (
        <FactorChallenge factors={factors} onVerified={() => onClose(true)} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-12 w-full" />
        </Loading>
      )}
    </Dialog>
  )
}
