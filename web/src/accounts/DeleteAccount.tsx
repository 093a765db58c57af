import { useState } from 'react'
import { deleteUser } from '#contract/accounts.ts'
import { failureOf } from '~/auth/api-failure'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { call } from '~/lib/api'
import { leaveNotice } from '~/lib/arrival-notice'
import { leaveBy } from '~/lib/leave'
import { useUser } from '~/lib/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { Section, sectionButton } from './Section.tsx'

/** The end of the account (spec §4): asks, deletes, signs out, and leads to `/`, which says so. */
export function DeleteAccount() {
  const { id } = useUser()
  const [open, setOpen] = useState(false)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)

  const ask = () => {
    setFailure(null)
    setOpen(true)
  }
  const confirm = async () => {
    setFailure(null)
    setPending(true)
    try {
      await leaveBy(async () => {
        await call(deleteUser, { id })
        leaveNotice(m.profile_deleted())
      })
      // the page is left through SIGNED_OUT (layouts/use-session-events.ts); until then there is nothing to press
    } catch (error) {
      setFailure(failureOf(error))
      setPending(false)
    }
  }

  return (
    <Section title={m.profile_delete()} intro={m.profile_delete_intro()} danger>
      <Button className={`${sectionButton} border-danger/60! text-danger!`} onClick={ask}>
        {m.profile_delete_ask()}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={(next) => !pending && setOpen(next)}
        title={m.profile_delete_title()}
        description={m.profile_delete_text()}
        confirmText={m.profile_delete_ask()}
        onConfirm={() => void confirm()}
        pending={pending}
        pendingText={m.profile_deleting()}
      >
        <Points
          title={m.profile_delete_goes()}
          points={[m.profile_delete_goes_vehicles(), m.profile_delete_goes_messages(), m.profile_delete_goes_rest()]}
        />
        <Points title={m.profile_delete_stays()} points={[m.profile_delete_stays_sent()]} />
        <FailureNotice failure={failure} />
      </ConfirmDialog>
    </Section>
  )
}

function Points({ title, points }: { title: string; points: string[] }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-bold">{title}</h3>
      <ul className="grid list-disc gap-1 pl-5 marker:text-ink-soft">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </div>
  )
}
