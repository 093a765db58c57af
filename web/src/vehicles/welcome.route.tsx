import { useQuery } from '@tanstack/react-query'
import { BellRing, Check, type LucideIcon, QrCode, Users } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { type Vehicle, vehicleCan } from '#contract/vehicles.ts'
import { href } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { useUser } from '~/lib/session/user'
import { CarriedNote } from '~/notes/CarriedNote'
import { m } from '~/paraglide/messages'
import { EnablePush } from '~/push/EnablePush'
import { pushSettingsQuery, pushStatusQuery } from '~/push/queries'
import { ownTagsQuery, useMakeTag } from '~/tags/queries'
import { Badge } from '~/ui/Badge'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { Plate } from '~/ui/Plate'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { peopleQuery } from '~/vehicle-people/queries'
import { ownVehiclesQuery, prefetchOwnVehicles } from './queries.ts'
import { VehicleName } from './vehicle-name.ts'

export const handle: RouteHandle = { prefetch: [ownVehiclesQuery, pushSettingsQuery, ownTagsQuery] }

export const clientLoader = prefetchOwnVehicles

export const meta = () => privatePageMeta(m.page_welcome())

/** Renders /dashboard/vehicles/:id/welcome: says after a registration that the plate is active, and offers what makes its messages arrive in time. */
export default function WelcomePage() {
  const { id = '' } = useParams()
  const query = useQuery(ownVehiclesQuery)
  const vehicle = query.data?.find((own) => own.id === id)
  if (query.data && !(vehicle?.role === 'owner' && vehicleCan('receiveMessage', vehicle)))
    return <Navigate to={href(paths.vehicles(id))} replace /> // there it says how things stand
  return (
    <div className="max-w-2xl">
      <PageHeader
        title={vehicle ? verbatim(m.vehicles_is_active({ plate: vehicle.plate }), vehicle.plate) : m.page_welcome()}
      >
        {m.vehicles_registered()} {m.vehicles_welcome_intro()}
      </PageHeader>
      <Loaded query={{ ...query, data: vehicle }} skeleton={OFFERS_SKELETON}>
        {(loaded) => <Offers vehicle={loaded} />}
      </Loaded>
    </div>
  )
}

const OFFERS_SKELETON = <Skeleton className="h-140 rounded-2xl!" />

/** Shows what there is to do, and what is done; the next of it has the main button. */
function Offers({ vehicle }: { vehicle: Vehicle }) {
  const { id, plate, province } = vehicle
  const user = useUser()
  const navigate = useNavigate()
  const settings = useQuery(pushSettingsQuery)
  const { data: device } = useQuery(pushStatusQuery(user.id))
  const tags = useQuery(ownTagsQuery)
  const people = useQuery(peopleQuery(id))
  const makeTag = useMakeTag(id)
  const push = useRef<HTMLLIElement>(null)
  if (settings.isPending || device === undefined || tags.isPending || people.isPending)
    return <Loading>{OFFERS_SKELETON}</Loading>
  const publicKey = device === 'unsupported' ? null : settings.data?.public_key
  const hasTag = tags.data?.some(({ vehicle_id }) => vehicle_id === id)
  const isShared = people.data && (people.data.items.length > 1 || people.data.invitations.length > 0)
  const next = publicKey && device === 'off' ? 'push' : !hasTag ? 'tag' : !isShared ? 'people' : 'vehicles'
  const variant = (offer: typeof next) => (offer === next ? 'primary' : 'secondary')
  return (
    <div className="grid grid-cols-1 gap-5">
      <CarriedNote />
      <Card className="grid grid-cols-1 gap-2">
        <div className="flex items-center gap-4">
          <Plate plate={plate} province={province} size="sm" className="shrink-0" />
          <p className="font-bold">
            <VehicleName of={vehicle} />
          </p>
        </div>
        <ul className="grid divide-y divide-line">
          {publicKey && (
            <Offer ref={push} icon={BellRing} title={m.push_title()} text={m.push_intro()} isDone={device === 'on'}>
              {device !== 'on' && (
                <EnablePush
                  userId={user.id}
                  device={device}
                  publicKey={publicKey}
                  variant={variant('push')}
                  onSettled={() => push.current?.focus()}
                />
              )}
            </Offer>
          )}
          <Offer icon={QrCode} title={m.windshield_title()} text={m.windshield_intro()} isDone={hasTag}>
            {hasTag === false ? (
              <Button
                variant={variant('tag')}
                className="flex-1 sm:flex-none"
                pending={makeTag.isPending}
                onClick={() =>
                  makeTag.mutate(undefined, { onSuccess: () => void navigate(href(paths.windshieldTag(id))) })
                }
              >
                {m.windshield_make()}
              </Button>
            ) : (
              <ButtonLink to={paths.windshieldTag(id)} className="flex-1 sm:flex-none">
                {m.vehicles_welcome_see_tag()}
              </ButtonLink>
            )}
          </Offer>
          <Offer icon={Users} title={m.people_of_vehicle()} text={m.vehicles_welcome_people()} isDone={isShared}>
            <ButtonLink to={paths.inviteDriver(id)} variant={variant('people')} className="flex-1 sm:flex-none">
              {m.people_invite()}
            </ButtonLink>
          </Offer>
        </ul>
      </Card>
      <ButtonLink
        to={paths.vehicles(id)}
        variant={variant('vehicles')}
        size="lg"
        className="w-full sm:w-auto sm:justify-self-start"
      >
        {m.vehicles_welcome_leave()}
      </ButtonLink>
    </div>
  )
}

type OfferProps = {
  ref?: React.Ref<HTMLLIElement>
  icon: LucideIcon
  title: string
  text: string
  isDone: boolean | undefined
  children: ReactNode
}

function Offer({ ref, icon: Icon, title, text, isDone, children }: OfferProps) {
  const heading = useId()
  return (
    <li ref={ref} tabIndex={-1} aria-labelledby={heading} className="grid gap-3 py-4 last:pb-0">
      <div className="grid gap-1">
        <h2 id={heading} className="flex items-center gap-2 text-lg font-bold">
          <Icon aria-hidden="true" className="size-5 shrink-0 text-pine" />
          {title}
        </h2>
        <p className="max-w-prose text-ink-soft">{text}</p>
      </div>
      {/* as high with the button as without */}
      <div className="flex min-h-11 items-center gap-3">
        {isDone && (
          <Badge tone="good" icon={Check}>
            {m.vehicles_welcome_done()}
          </Badge>
        )}
        {children}
      </div>
    </li>
  )
}
