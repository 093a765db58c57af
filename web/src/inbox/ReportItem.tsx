import { LockKeyholeOpen } from 'lucide-react'
import { type OpenedReport, openReport, PURPOSE_MAX } from '#contract/inbox.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { useForm } from '~/lib/form/use-form'
import { ApiError, call, errorMessage } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { TextField } from '~/ui/Field'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { RadioGroup } from '~/ui/signed-in/RadioGroup'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { useOpened } from './delayed-actions.tsx'
import { ItemHeader, type ItemProps, ItemSkeleton, PersonLink } from './ItemHeader.tsx'
import { KINDS, reportTitle } from './inbox-texts.ts'

// loaded on demand: shown only once a purpose was given
const loadOpenedReport = () => import('./OpenedReport.tsx')

/** Shows one reported message. Its texts are shown once the admin has given a purpose (decision admin-inbox). */
export function ReportItem({ id, item, onDone }: ItemProps) {
  const [opened, setOpened] = useOpened<OpenedReport>(id)
  const report = opened ?? (item?.kind === 'report' ? item : undefined)
  return (
    <article className="grid gap-6">
      <ItemHeader
        kind="report"
        isOpened={opened !== undefined}
        title={report ? reportTitle(report) : KINDS.report.name()}
      >
        {report && (
          <>
            <span>
              {m.inbox_reported()} <DateTime iso={report.created_at} />
            </span>
            <span>{m.inbox_reporters({ count: report.reporters })}</span>
            <PersonLink id={report.subject_id} />
          </>
        )}
      </ItemHeader>
      {opened ? (
        <LoadedPart name="opened report" load={loadOpenedReport} skeleton={<ItemSkeleton />}>
          {({ OpenedReportParts }) => <OpenedReportParts opened={opened} onDone={onDone} />}
        </LoadedPart>
      ) : (
        <Card>
          <PurposeForm
            onOpen={async (purpose) => setOpened(await call(openReport, { id, purpose }, { withTimeout: true }))}
          />
        </Card>
      )}
    </article>
  )
}

type PurposeProps = {
  /** Opens the text with a purpose; throws `ApiError`. */
  onOpen: (purpose: string) => Promise<void>
}

const OTHER = 'other'

/** Asks for the purpose of an opening, which is recorded: a ready-made one, or another one in the admin's own words. */
function PurposeForm({ onOpen }: PurposeProps) {
  // as they are recorded
  const choices = [m.inbox_purpose_new(), m.inbox_purpose_more(), m.inbox_purpose_appeal(), m.inbox_purpose_authority()]
  const { values, register, setValue, pending, formProps } = useForm({
    defaultValues: { choice: '', purpose: '' },
    validate: ({ choice, purpose }) => ({
      choice: choice !== '' || m.inbox_purpose_missing(),
      purpose: choice !== OTHER || hasVisibleCharacter(purpose) || m.inbox_purpose_missing(),
    }),
    async onSubmit({ choice, purpose }) {
      try {
        await onOpen(choice === OTHER ? purpose.trim() : (choices[Number(choice)] ?? ''))
        return undefined
      } catch (error) {
        return { choice: (error instanceof ApiError ? error.fields['purpose'] : undefined) ?? errorMessage(error) }
      }
    },
  })
  return (
    <form noValidate className="grid gap-4" {...formProps}>
      <RadioGroup
        name="choice"
        legend={m.inbox_purpose()}
        hint={m.inbox_purpose_hint()}
        value={values.choice}
        onChange={(value) => setValue('choice', value)}
        options={[...choices, m.inbox_purpose_other()].map((label, i) => ({
          value: i === choices.length ? OTHER : String(i),
          label,
        }))}
        error={register('choice').error}
      />
      {values.choice === OTHER && (
        <TextField label={m.inbox_purpose_own()} maxLength={PURPOSE_MAX} autoComplete="off" {...register('purpose')} />
      )}
      <Button
        type="submit"
        icon={LockKeyholeOpen}
        variant="primary"
        className="justify-self-start"
        pending={pending}
        pendingText={m.loading()}
      >
        {m.inbox_purpose_submit()}
      </Button>
    </form>
  )
}
