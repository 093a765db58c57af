import { MailOpen } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { plainField } from '~/lib/plain-form/slots'
import { m } from '~/paraglide/messages'
import { PlainForm, PlainFormButton, PlainFormFailure } from '~/plain-form/PlainForm'
import { Card } from '~/ui/Card'
import { TextField } from '~/ui/Field'
import { PlateField } from '~/ui/PlateField'

export const handle: RouteHandle = { plainForm: true }

export const meta = () => privatePageMeta(m.note_title())

/** Renders /n, where the finder of a note opens it, without an account (decision windshield-note). */
export default function NotePage() {
  return (
    <div className="mx-auto w-full max-w-xl px-4 pt-8 pb-20 sm:px-6 sm:pt-14">
      <header className="grid gap-3 pb-6">
        <h1 className="text-4xl font-black tracking-[-0.025em] sm:text-5xl">{m.note_title()}</h1>
        <p className="text-lg text-ink-soft">{m.note_intro()}</p>
      </header>
      <Card>
        <PlainForm action={href(paths.note())} className="grid gap-6">
          <PlainFormFailure />
          <TextField
            label={m.note_code()}
            hint={m.note_code_hint()}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="next"
            required
            maxLength={30}
            placeholder="1234 5678 9012"
            data-error={m.note_code_missing()}
            data-mistake={m.note_code_mistake()}
            {...plainField('code')}
          />
          <PlateField label={m.note_plate()} required data-error={m.note_plate_missing()} {...plainField('plate')} />
          <PlainFormButton icon={MailOpen} pendingText={m.note_opening()}>
            {m.note_open()}
          </PlainFormButton>
          <p className="text-sm text-ink-soft">{m.note_open_hint()}</p>
        </PlainForm>
      </Card>
    </div>
  )
}
