import type { PushStatus } from '~/lib/push/push-subscription'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import type { ButtonVariant } from '~/ui/button-class'
import { useEnablePush } from './queries.ts'

type Props = {
  userId: string
  device: Exclude<PushStatus, 'on'>
  publicKey: string
  variant?: ButtonVariant
  /** Called when the browser has answered; the pressed button may be gone. */
  onSettled: () => void
}

/** Switches notifications on this device on, or says what has to be done first. */
export function EnablePush({ userId, device, publicKey, variant, onSettled }: Props) {
  const { isPending, mutate } = useEnablePush(userId, publicKey)
  if (device === 'unsupported') return <p>{m.push_unsupported()}</p>
  if (device === 'needs_install') return <p className="max-w-prose">{m.push_needs_install()}</p>
  if (device === 'denied') return <p className="max-w-prose">{m.push_denied()}</p>
  return (
    <Button
      variant={variant}
      className="w-full sm:w-auto sm:justify-self-start"
      pending={isPending}
      pendingText={m.push_switching_on()}
      onClick={() => mutate(undefined, { onSettled })}
    >
      {m.push_switch_on()}
    </Button>
  )
}
