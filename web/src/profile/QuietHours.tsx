import { useQuery } from '@tanstack/react-query'
import { MoonStar } from 'lucide-react'
import { useRef } from 'react'
import type { Preferences } from '#contract/preferences.ts'
import { CANADIAN_TIME_ZONES } from '#contract/time-zones.ts'
import { useForm } from '~/lib/form/use-form'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { ProfileSection } from './frame/ProfileSection.tsx'

/** What the form proposes to somebody without quiet hours. */
const USUAL_NIGHT = { quiet_from: '22:00', quiet_until: '07:00' }

/** Lets the user choose when neither pushes nor emails about messages arrive, and says what arrives all the same. */
export function QuietHours() {
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
      try {
        await mutateAsync({ quiet_from: from, quiet_until: until, time_zone: zone })
        toast.success(m.profile_quiet_is_on())
      } catch {
        // the mutation has said what failed
      }
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
