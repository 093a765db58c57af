import { Plus, Send } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'

/** The two things one comes here to do; `main` is the one that matters now. */
export function QuickActions({ primary }: { primary: 'add' | 'send' }) {
  return (
    <>
      <ButtonLink
        to={paths.newVehicle()}
        variant={primary === 'add' ? 'primary' : 'secondary'}
        className="whitespace-nowrap"
      >
        <Plus aria-hidden="true" className="size-5" />
        {m.dashboard_add_vehicle()}
      </ButtonLink>
      <ButtonLink
        to={paths.send()}
        variant={primary === 'send' ? 'primary' : 'secondary'}
        className="whitespace-nowrap"
      >
        <Send aria-hidden="true" className="size-5" />
        {m.dashboard_send_message()}
      </ButtonLink>
    </>
  )
}
