import { useParams } from 'react-router'
import { GUEST_REASONS } from '#contract/guest-texts.ts'
import { PLATE_TYPED_MAX } from '#contract/plates.ts'
import { guestLanguageSlot, guestTexts } from '~/guest/guest-texts'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { plainField } from '~/lib/plain-form/slots'
import { PlainChoice, PlainForm, PlainFormButton, PlainFormFailure } from '~/plain-form/PlainForm'
import { Card } from '~/ui/Card'
import { EmergencyCall } from '~/ui/EmergencyCall'
import { Field, FieldError } from '~/ui/Field'

export const handle: RouteHandle = { plainForm: true }

export const meta = () => privatePageMeta(guestTexts().tag.title)

/** Renders /t/<token>, and /t for the digits of a tag (decision windshield-tag), in the language that the server fills in. */
export default function TagPage() {
  const { token } = useParams()
  const { tag, common, reasons } = guestTexts()
  const reason = plainField('reason')
  return (
    <>
      <h1 tabIndex={-1} className="text-3xl font-extrabold text-balance outline-none">
        {tag.title}
      </h1>
      <p className="mt-3 text-lg text-ink-soft">{tag.intro}</p>
      <PlainForm
        data-guest=""
        data-network={common.network}
        data-failed={common.failed}
        data-checking={common.checking}
        className="group/form mt-6 grid gap-6"
      >
        <PlainFormFailure />
        <input type="hidden" name="language" defaultValue={guestLanguageSlot('language')} />
        <Card className="grid gap-5">
          {token === undefined && (
            <ShortText
              {...plainField('digits')}
              label={tag.digits}
              missing={tag.digits_missing}
              inputMode="numeric"
              maxLength={30} // dictated one by one
            />
          )}
          <ShortText
            {...plainField('plate_end')}
            label={tag.plate}
            hint={tag.plate_hint}
            missing={tag.plate_missing}
            autoCapitalize="characters"
            maxLength={PLATE_TYPED_MAX}
          />
        </Card>
        <fieldset aria-describedby="reason-error">
          <legend className="pb-2 font-bold">{tag.reason}</legend>
          <div className="grid gap-2">
            {GUEST_REASONS.map((one) => (
              <PlainChoice key={one} type="radio" name="reason" value={one} required data-error={tag.reason_missing}>
                {reasons[one]}
              </PlainChoice>
            ))}
          </div>
          <FieldError id="reason-error" text={reason.error} />
          <div role="status">
            {/* where a style sheet cannot know what is chosen it always stands there */}
            <div className="hidden pt-4 group-has-[[value=someone\_inside]:checked]/form:block [@supports_not_selector(:has(a))]:block">
              <EmergencyCall title={tag.emergency} call={common.call_911} />
            </div>
          </div>
        </fieldset>
        <fieldset>
          <legend className="pb-2 font-bold">{tag.chips}</legend>
          <div className="grid gap-2">
            <PlainChoice type="checkbox" name="chips" value="waiting_here">
              {tag.waiting_here}
            </PlainChoice>
            <div className="group-has-[[value=someone\_inside]:checked]/form:hidden">
              <PlainChoice type="checkbox" name="chips" value="no_hurry">
                {tag.no_hurry}
              </PlainChoice>
            </div>
            {/* the next quarter hours on the clock of this phone, which only scripts know */}
            <div
              hidden
              data-until={tag.until}
              className="flex flex-wrap gap-2 *:flex-1 min-[18rem]:*:whitespace-nowrap"
            >
              {['1', '2', '3'].map((turn) => (
                <PlainChoice key={turn} type="checkbox" name="chips" disabled />
              ))}
            </div>
          </div>
        </fieldset>
        <div className="grid gap-3">
          <PlainFormButton pendingText={tag.sending}>{tag.send}</PlainFormButton>
          <p className="text-sm text-ink-soft">{common.anonymous}</p>
        </div>
      </PlainForm>
    </>
  )
}

type ShortTextProps = React.ComponentProps<'input'> & {
  label: string
  hint?: string
  error: string
  /** What to say where nothing is typed. */
  missing: string
}

const ShortText = ({ label, hint, error, missing, ...input }: ShortTextProps) => (
  <Field {...{ label, hint, error }}>
    {(control) => (
      <input
        type="text"
        required
        dir="ltr"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        data-error={missing}
        {...input}
        {...control}
        className="control text-xl font-bold tracking-widest uppercase"
      />
    )}
  </Field>
)
