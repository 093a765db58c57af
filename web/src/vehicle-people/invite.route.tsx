import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { acceptInvitation } from '#contract/vehicle-people.ts'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { TextField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'

export const meta = () => privatePageMeta(m.page_invite())

/** Returns the code of a link from the fragment, which is sent to no server and no other site. */
const codeInAddress = () => new URLSearchParams(location.hash.slice(1)).get('code') ?? ''

/** Renders /invite: says what it means to drive a vehicle here, and joins by a code, typed or from a link. */
export default function InvitePage() {
  const [linked] = useState(codeInAddress)
  const navigate = useNavigate()
  const form = useForm({
    defaultValues: { code: linked },
    validate: ({ code }) => ({ code: code.trim() === '' ? m.invite_code_missing() : undefined }),
    async onSubmit({ code }) {
      const { vehicle_id, plate } = await call(acceptInvitation, { code })
      toast.onNextPage('success', verbatim(m.invite_joined({ plate }), plate))
      void queryClient.invalidateQueries()
      await navigate(href(paths.vehicles(vehicle_id)), { replace: true })
    },
  })
  return (
    <div className="max-w-xl">
      <PageHeader title={m.page_invite()}>{m.invite_intro()}</PageHeader>
      <Card className="grid gap-5">
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>{m.invite_you_read()}</li>
          <li>{m.invite_they_see()}</li>
          <li>{m.invite_you_leave()}</li>
        </ul>
        <form noValidate className="grid gap-5" {...form.formProps}>
          {linked === '' ? (
            <TextField
              label={m.invite_code()}
              hint={m.invite_code_hint()}
              autoCapitalize="characters"
              autoComplete="one-time-code"
              autoCorrect="off"
              spellCheck={false}
              {...form.register('code')}
            />
          ) : (
            <input type="hidden" {...form.register('code')} />
          )}
          <AnnouncedFailure failure={form.failure} />
          <Button type="submit" variant="primary" size="lg" pending={form.pending}>
            {m.invite_join()}
          </Button>
        </form>
      </Card>
    </div>
  )
}
