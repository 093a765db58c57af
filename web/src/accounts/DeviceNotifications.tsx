import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useRef } from 'react'
import type { DeviceState } from '~/lib/push-device'
import { useUser } from '~/lib/user'
import { m } from '~/paraglide/messages'
import { deviceQuery, pushQuery, useShowText, useSwitchOff, useSwitchOn, useTestPush } from '~/push/queries'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { Section, sectionButton } from './Section.tsx'

/** Notifications on this device; nothing where the server sends none. */
export function DeviceNotifications() {
  const user = useUser()
  const server = useQuery(pushQuery)
  const { data: device } = useQuery(deviceQuery(user.id))
  if (server.data?.public_key === null) return null
  return (
    <Section
      title={m.profile_push()}
      intro={m.profile_push_intro()}
      aside={
        device === 'on' && (
          <Badge tone="good" icon={BellRing}>
            {m.profile_push_on()}
          </Badge>
        )
      }
    >
      {server.isError && !server.data ? (
        <ErrorState error={server.error} onRetry={() => void server.refetch()} />
      ) : server.data && device ? (
        <Controls
          userId={user.id}
          device={device}
          publicKey={server.data.public_key}
          showsText={server.data.message_text}
        />
      ) : (
        <Loading>
          <Skeleton className="h-11 w-48" />
        </Loading>
      )}
    </Section>
  )
}

type ControlsProps = { userId: string; device: DeviceState; publicKey: string; showsText: boolean }

function Controls({ userId, device, publicKey, showsText }: ControlsProps) {
  const place = useRef<HTMLDivElement>(null)
  // the button that was pressed is gone afterwards
  const onSettled = () => place.current?.focus()
  const on = useSwitchOn(userId, publicKey)
  const off = useSwitchOff(userId)
  const test = useTestPush(userId)
  return (
    <div ref={place} tabIndex={-1} className="grid gap-5 rounded-lg">
      {device === 'unsupported' && <p>{m.profile_push_unsupported()}</p>}
      {device === 'needs_install' && <p className="max-w-prose">{m.profile_push_needs_install()}</p>}
      {device === 'denied' && <p className="max-w-prose">{m.profile_push_denied()}</p>}
      {device === 'off' && (
        <Button
          className={sectionButton}
          pending={on.isPending}
          pendingText={m.profile_push_switching_on()}
          onClick={() => on.mutate(undefined, { onSettled })}
        >
          {m.profile_push_switch_on()}
        </Button>
      )}
      {device === 'on' && (
        <>
          <ShowText checked={showsText} />
          <div className="grid gap-3 sm:flex">
            <Button
              className={sectionButton}
              pending={test.isPending}
              pendingText={m.profile_push_testing()}
              onClick={() => test.mutate()}
            >
              {m.profile_push_test()}
            </Button>
            <Button
              variant="ghost"
              className={sectionButton}
              pending={off.isPending}
              pendingText={m.profile_push_switching_off()}
              onClick={() => off.mutate(undefined, { onSettled })}
            >
              {m.profile_push_switch_off()}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function ShowText({ checked }: { checked: boolean }) {
  const { mutate } = useShowText()
  return (
    <Checkbox
      label={
        <span className="grid gap-0.5">
          <span className="font-bold">{m.profile_push_text()}</span>
          <span className="text-sm text-ink-soft">{m.profile_push_text_hint()}</span>
        </span>
      }
      checked={checked}
      onChange={({ target }) => mutate(target.checked)}
    />
  )
}
