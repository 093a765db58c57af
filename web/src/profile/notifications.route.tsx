import { useQuery } from '@tanstack/react-query'
import { BellRing, Check, MoonStar } from 'lucide-react'
import { useRef } from 'react'
import type { Preferences } from '#contract/preferences.ts'
import { CANADIAN_TIME_ZONES } from '#contract/time-zones.ts'
import { useForm } from '~/lib/form/use-form'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import type { PushStatus } from '~/lib/push/push-subscription'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { EnablePush } from '~/push/EnablePush'
import { pushSettingsQuery, pushStatusQuery, useDisablePush, useSetPushText, useTestPush } from '~/push/queries'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { TextField } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'

export const handle: RouteHandle = { prefetch: [preferencesQuery, pushSettingsQuery] }

export const meta = () => privatePageMeta(`${m.profile_part_notifications()} · ${m.profile_title()}`)

/** Renders the part of the profile about what reaches the user where and when. */
export default function NotificationSettings() {
  return (
    <>
      <EmailPreferences />
      <PushNotifications />
      <QuietHours />
    </>
  )
}

/** Shows the choices about emails. Each is saved as soon as it changes, without a button. */
function EmailPreferences() {
  const { mutate, isSuccess } = useUpdatePreferences()
  const saved = (
    <p role="status" className="flex items-center gap-1.5 text-sm font-semibold text-good empty:hidden">
      {isSuccess && (
        <>
          <Check aria-hidden="true" className="size-4" />
          {m.profile_saved()}
        </>
      )}
    </p>
  )
  return (
    <ProfileSection title={m.profile_emails()} aside={saved}>
      <Loaded query={useQuery(preferencesQuery)} skeleton={<Skeleton className="h-68 w-full" />}>
        {({ email_messages, email_message_text, email_answers }) => (
          <div className="grid gap-2">
            <Checkbox
              label={<strong>{m.profile_email_messages()}</strong>}
              hint={m.profile_email_messages_hint()}
              checked={email_messages}
              onChange={({ target }) => mutate({ email_messages: target.checked })}
            />
            {/* stays a choice without emails about new messages: it is also about emails with replies */}
            <Checkbox
              label={<strong>{m.profile_email_text()}</strong>}
              hint={m.profile_email_text_hint()}
              checked={email_message_text}
              onChange={({ target }) => mutate({ email_message_text: target.checked })}
            />
            <Checkbox
              label={<strong>{m.profile_email_answers()}</strong>}
              hint={m.profile_email_answers_hint()}
              checked={email_answers}
              onChange={({ target }) => mutate({ email_answers: target.checked })}
            />
          </div>
        )}
      </Loaded>
    </ProfileSection>
  )
}

/** Switches notifications on this device on and off. Shows nothing where the server sends none. */
function PushNotifications() {
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

/** What the form proposes to somebody without quiet hours. */
const USUAL_NIGHT = { quiet_from: '22:00', quiet_until: '07:00' }

/** Lets the user choose when neither pushes nor emails about messages arrive, and says what arrives all the same. */
function QuietHours() {
  const preferences = useQuery(preferencesQuery)
  const isOn = typeof preferences.data?.quiet_from === 'string'
  return (
    <ProfileSection
      title={m.profile_quiet()}
      intro={m.profile_quiet_intro()}
      aside={
        isOn && (
          <Badge tone="good" icon={MoonStar}>
            {m.profile_quiet_on()}
          </Badge>
        )
      }
    >
      <Loaded query={preferences} skeleton={<Skeleton className="h-80 w-full" />}>
        {(loaded) => <QuietHoursForm preferences={loaded} />}
      </Loaded>
    </ProfileSection>
  )
}

const validate = ({ from, until }: { from: string; until: string }) => ({
  from: from === '' ? m.profile_quiet_missing() : undefined,
  until: until === '' ? m.profile_quiet_missing() : until === from ? m.profile_quiet_same() : undefined,
})

/** Returns the zone to propose: that of the device instead of a default nobody chose, if it is a Canadian one. */
function proposedZone({ quiet_from, time_zone }: Preferences): string {
  const zone = deviceTimeZone()
  const isCanadian = CANADIAN_TIME_ZONES.some((known) => known === zone)
  return quiet_from === null && zone !== undefined && isCanadian ? zone : time_zone
}

function QuietHoursForm({ preferences }: { preferences: Preferences }) {
  const { mutateAsync } = useUpdatePreferences()
  const switchOff = useUpdatePreferences()
  const submit = useRef<HTMLButtonElement>(null)
  const isOn = preferences.quiet_from !== null
  const form = useForm({
    defaultValues: {
      from: preferences.quiet_from ?? USUAL_NIGHT.quiet_from,
      until: preferences.quiet_until ?? USUAL_NIGHT.quiet_until,
      zone: proposedZone(preferences),
    },
    validate,
    async onSubmit({ from, until, zone }) {
      await mutateAsync({ quiet_from: from, quiet_until: until, time_zone: zone }) // says what failed
      toast.success(m.profile_quiet_is_on())
    },
  })
  return (
    <form noValidate className="grid gap-4" {...form.formProps}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-4">
        <TextField type="time" label={m.profile_quiet_from()} {...form.register('from')} />
        <TextField type="time" label={m.profile_quiet_until()} {...form.register('until')} />
      </div>
      <Select label={m.profile_quiet_zone()} options={timeZoneOptions(form.values.zone)} {...form.register('zone')} />
      <p className="max-w-prose text-sm text-ink-soft">{m.profile_quiet_passes()}</p>
      <div className="grid gap-3 sm:flex">
        <Button type="submit" ref={submit} pending={form.pending} pendingText={m.profile_quiet_saving()}>
          {isOn ? m.profile_quiet_save() : m.profile_quiet_switch_on()}
        </Button>
        {isOn && (
          <Button
            variant="ghost"
            pending={switchOff.isPending}
            onClick={() =>
              switchOff.mutate(
                { quiet_from: null, quiet_until: null },
                {
                  onSuccess: () => {
                    toast.success(m.profile_quiet_is_off())
                    submit.current?.focus() // the button in use is gone
                  },
                },
              )
            }
          >
            {m.profile_quiet_switch_off()}
          </Button>
        )}
      </div>
    </form>
  )
}

const CANADIAN_NAMES: Record<(typeof CANADIAN_TIME_ZONES)[number], () => string> = {
  'America/St_Johns': m.profile_zone_st_johns,
  'America/Halifax': m.profile_zone_halifax,
  'America/Toronto': m.profile_zone_toronto,
  'America/Winnipeg': m.profile_zone_winnipeg,
  'America/Regina': m.profile_zone_regina,
  'America/Edmonton': m.profile_zone_edmonton,
  'America/Vancouver': m.profile_zone_vancouver,
  'America/Whitehorse': m.profile_zone_whitehorse,
}

/** Returns the zone of the device; undefined where the browser does not say. */
const deviceTimeZone = (): string | undefined => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the zones to choose from: those of Canada by name, and then the chosen one and all that the browser knows. */
function timeZoneOptions(chosen: string): { value: string; label: string }[] {
  const canadian = CANADIAN_TIME_ZONES.map((value) => ({ value, label: CANADIAN_NAMES[value]() }))
  // Safari before 15.4 has no list
  const known = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []
  const others = new Set([...known, chosen, deviceTimeZone() ?? chosen].sort())
  for (const zone of CANADIAN_TIME_ZONES) others.delete(zone)
  return [...canadian, ...[...others].map((value) => ({ value, label: value.replaceAll('_', ' ') }))]
}
