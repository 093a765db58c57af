import { CircleAlert } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { GuestChip } from '#contract/guest-chips.ts'
import { GUEST_REASONS, type GuestReason, type GuestTexts, plateEndError } from '#contract/guest-texts.ts'
import { paths } from '#contract/paths.ts'
import { displayPlate, isPlate, PLATE_TYPED_MAX, plateKey } from '#contract/plates.ts'
import { DEVICE_HEADER, leaveMessage } from '#contract/tags.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { GUEST_FORM_ID, type Guest, guestTime, useGuest } from '~/guest/guest-language'
import { ApiError } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { privatePageMeta } from '~/lib/page/page-meta'
import { browserStore } from '~/lib/page/storage'
import { callWithProof } from '~/lib/proof-of-work/call-with-proof'
import { now } from '~/lib/time/now'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'

export const meta = () => privatePageMeta(m.tag_title())

type FieldName = 'digits' | 'plate_end' | 'reason'

const failureText = ({ common, tag }: GuestTexts, error: unknown): string => {
  if (!(error instanceof ApiError)) return common.failed
  if (error.code === 'tag_refused') return tag.refused
  if (error.code === 'network') return common.network
  return error.code === 'too_many_requests' ? common.too_many : common.failed
}

/**
 * Renders /t/<token>, and /t for the digits of a tag (decision windshield-tag): one form, which the browser itself posts without scripts.
 */
export default function TagPage() {
  const { token } = useParams()
  const guest = useGuest()
  const { texts } = guest
  const hydrated = useHydrated()
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState<FieldName | null>(null)
  const [typedPlate, setTypedPlate] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const [pending, setPending] = useState(false)
  const [checking, setChecking] = useState(false)
  const [reason, setReason] = useState<GuestReason | null>(null)
  const [until, setUntil] = useState<GuestChip | null>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const fields = new FormData(form.current!)
    const text = (name: string) =>
      fields
        .getAll(name)
        .filter((value) => typeof value === 'string')
        .join('')
    const reference = token ?? text('digits').replace(/\D/g, '')
    const typed = text('plate_end')
    const plate_end = plateKey(displayPlate(typed))
    const firstMissing: FieldName | null =
      token === undefined && reference.length !== 8
        ? 'digits'
        : !isPlate(plate_end)
          ? 'plate_end'
          : reason === null
            ? 'reason'
            : null
    setMissing(firstMissing)
    setTypedPlate(typed)
    setFailure(null)
    if (firstMissing !== null || reason === null) {
      form.current!.querySelector<HTMLInputElement>(`[name="${firstMissing}"]`)?.focus()
      return
    }
    setPending(true)
    try {
      const chips = [...(fields.getAll('chips') as GuestChip[]), ...(until === null ? [] : [until])]
      const input = { token: reference, plate_end, reason, chips, language: guest.language }
      const { receipt } = await callWithProof(leaveMessage, input, {
        headers: { [DEVICE_HEADER]: guestDevice() },
        withTimeout: true,
        onWork: () => setChecking(true),
      })
      await navigate(href(paths.receipt(receipt)), { replace: true })
    } catch (error) {
      setFailure(error)
      setPending(false)
      setChecking(false)
    }
  }

  return (
    <>
      <h1 className="text-3xl font-extrabold text-balance">{texts.tag.title}</h1>
      <p className="mt-3 text-lg text-ink-soft">{texts.tag.intro}</p>
      <form
        ref={form}
        id={GUEST_FORM_ID}
        method="post"
        noValidate={hydrated}
        onSubmit={(event) => void submit(event)}
        className="mt-6 grid gap-6"
      >
        <Card className="grid gap-5">
          {token === undefined && (
            <Text
              name="digits"
              label={texts.tag.digits}
              error={missing === 'digits' ? texts.tag.digits_missing : undefined}
              inputMode="numeric"
              maxLength={30} // dictated one by one
            />
          )}
          <Text
            name="plate_end"
            label={texts.tag.plate}
            hint={texts.tag.plate_hint}
            error={missing === 'plate_end' ? plateEndError(texts, typedPlate) : undefined}
            autoCapitalize="characters"
            maxLength={PLATE_TYPED_MAX}
          />
        </Card>
        <fieldset aria-describedby={missing === 'reason' ? 'reason-error' : undefined}>
          <legend className="pb-2 font-bold">{texts.tag.reason}</legend>
          <div className="grid gap-2">
            {GUEST_REASONS.map((one) => (
              <Choice key={one} kind="radio" name="reason" value={one} onChoose={() => setReason(one)}>
                {texts.reasons[one]}
              </Choice>
            ))}
          </div>
          {missing === 'reason' && <ErrorText id="reason-error">{texts.tag.reason_missing}</ErrorText>}
        </fieldset>
        {reason === 'someone_inside' && (
          <p role="status" className="rounded-xl border border-danger/30 bg-danger-soft p-4 font-bold text-danger">
            {texts.tag.emergency}
          </p>
        )}
        <fieldset>
          <legend className="pb-2 font-bold">{texts.tag.chips}</legend>
          <div className="grid gap-2">
            <Choice kind="checkbox" name="chips" value="waiting_here">
              {texts.tag.waiting_here}
            </Choice>
            <Choice kind="checkbox" name="chips" value="no_hurry">
              {texts.tag.no_hurry}
            </Choice>
            {hydrated && <UntilChips guest={guest} chosen={until} onChoose={setUntil} />}
          </div>
        </fieldset>
        <div className="grid gap-3">
          <div aria-live="polite">{failure !== null && <ErrorText>{failureText(texts, failure)}</ErrorText>}</div>
          <Button
            type="submit"
            variant="primary"
            size="lg"
            pending={pending}
            pendingText={checking ? texts.common.checking : texts.tag.sending}
          >
            {texts.tag.send}
          </Button>
          <p className="text-sm text-ink-soft">{texts.common.anonymous}</p>
        </div>
      </form>
    </>
  )
}

const QUARTER_MS = 15 * MINUTE_MS
/** The shortest time that is worth announcing. */
const SOONEST_MS = 8 * MINUTE_MS

/** Offers the next quarter hours, in the time zone of this phone. */
function UntilChips({
  guest: { language, texts },
  chosen,
  onChoose,
}: {
  guest: Guest
  chosen: GuestChip | null
  onChoose: (chip: GuestChip | null) => void
}) {
  const [first] = useState(() => Math.ceil((now() + SOONEST_MS) / QUARTER_MS) * QUARTER_MS)
  return (
    <div className="flex flex-wrap gap-2">
      {[0, 1, 2].map((n) => {
        const at = new Date(first + n * QUARTER_MS)
        const chip =
          `until_${String(at.getHours()).padStart(2, '0')}${String(at.getMinutes()).padStart(2, '0')}` as GuestChip
        const isChosen = chip === chosen
        return (
          <button
            key={chip}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? null : chip)}
            className={`min-h-12 flex-1 rounded-xl border px-3 py-2 font-semibold ${
              isChosen ? 'border-pine bg-pine-soft ring-1 ring-pine' : 'border-line-strong bg-surface hover:bg-sunken'
            }`}
          >
            {texts.tag.until.replace('{time}', guestTime(language, at))}
          </button>
        )
      })}
    </div>
  )
}

type ChoiceProps = {
  kind: 'radio' | 'checkbox'
  name: string
  value: string
  onChoose?: () => void
  children: ReactNode
}

function Choice({ kind, name, value, onChoose, children }: ChoiceProps) {
  // chosen before the scripts ran
  const input = useRef<HTMLInputElement>(null)
  const applyEarlyChoice = useEffectEvent(() => {
    if (input.current?.checked) onChoose?.()
  })
  useEffect(() => applyEarlyChoice(), [])
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-xl border border-line-strong bg-surface px-3.5 py-2.5 font-semibold has-checked:border-pine has-checked:bg-pine-soft has-checked:ring-1 has-checked:ring-pine">
      <input
        ref={input}
        type={kind}
        name={name}
        value={value}
        required={kind === 'radio'}
        onChange={onChoose}
        className="size-5 shrink-0 accent-pine"
      />
      <span className="min-w-0">{children}</span>
    </label>
  )
}

type TextProps = {
  name: FieldName
  label: string
  hint?: string
  error: string | undefined
  maxLength: number
  inputMode?: 'numeric'
  autoCapitalize?: string
}

function Text({ name, label, hint, error, ...input }: TextProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-bold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      <input
        {...input}
        id={id}
        type="text"
        name={name}
        required
        dir="ltr"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        className="control text-xl font-bold tracking-widest uppercase"
      />
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
    </div>
  )
}

const ErrorText = ({ id, children }: { id?: string; children: string }) => (
  <p id={id} className="flex items-start gap-1.5 pt-1 font-semibold text-danger">
    <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0" />
    {children}
  </p>
)

const DEVICE_KEY = 'platenote-guest-device'
const DEVICE_BYTES = 18

/**
 * Returns the random value that identifies this browser to the vehicles it leaves messages at, and stores it. It reveals
 * nothing but that two messages came from here.
 */
function guestDevice(): string {
  const stored = browserStore.getItem(DEVICE_KEY)
  if (stored && /^[\w-]{22,64}$/.test(stored)) return stored
  const random = crypto.getRandomValues(new Uint8Array(DEVICE_BYTES))
  const created = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
  browserStore.setItem(DEVICE_KEY, created)
  return created
}
