import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useRef } from 'react'
import type { PushStatus } from '~/lib/push/push-subscription'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { EnablePush } from '~/push/EnablePush'
import { pushSettingsQuery, pushStatusQuery, useDisablePush, useSetPushText, useTestPush } from '~/push/queries'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'

/** Switches notifications on this device on and off. Shows nothing where the server sends none. */
export function PushNotifications() {
  const user = useUser()
  const server = useQuery(pushSettingsQuery)
  const { data: device } = useQuery(pushStatusQuery(user.id))
  if (server.data?.public_key === null) return null
  const controls = server.data &&
    device && { userId: user.id, device, publicKey: server.data.public_key, showsText: server.data.message_text }
  return (
    <ProfileSection
      title={m.push_title()}
      intro={m.push_intro()}
      aside={
        device === 'on' && (
          <Badge tone="good" icon={BellRing}>
            {m.push_on()}
          </Badge>
        )
      }
    >
      <Loaded query={{ ...server, data: controls }} skeleton={<Skeleton className="h-12 w-full" />}>
        {(props) => <PushControls {...props} />}
      </Loaded>
    </ProfileSection>
  )
}

type PushControlsProps = { userId: string; device: PushStatus; publicKey: string; showsText: boolean }

function PushControls({ userId, device, publicKey, showsText }: PushControlsProps) {
  const container = useRef<HTMLDivElement>(null)
  // the pressed button is gone afterwards
  const onSettled = () => container.current?.focus()
  const text = useSetPushText()
  const off = useDisablePush(userId)
  const test = useTestPush(userId)
  return (
    <div ref={container} tabIndex={-1} className="grid gap-5 rounded-lg">
      {device !== 'on' ? (
        <EnablePush {...{ userId, device, publicKey, onSettled }} />
      ) : (
        <>
          <Checkbox
            label={<strong>{m.push_text()}</strong>}
            hint={m.push_text_hint()}
            checked={showsText}
            onChange={({ target }) => text.mutate(target.checked)}
          />
          <div className="grid gap-3 sm:flex">
            <Button
              className={sectionButtonClass}
              pending={test.isPending}
              pendingText={m.push_testing()}
              onClick={() => test.mutate()}
            >
              {m.push_test()}
            </Button>
            <Button
              variant="ghost"
              className={sectionButtonClass}
              pending={off.isPending}
              pendingText={m.push_switching_off()}
              onClick={() => off.mutate(undefined, { onSettled })}
            >
              {m.push_switch_off()}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
