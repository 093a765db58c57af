import { ListChecks } from 'lucide-react'
import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { COLLISION_DUTIES, DUTIES_LOOKED_AT, dutiesFor } from '#contract/collision-duties.ts'
import type { Collision } from '#contract/collisions.ts'
import type { Locale } from '#contract/product.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { formatDate } from '~/lib/dates/dates'
import { asOneOf } from '~/lib/form/drafts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'
import { readCollisionDraft, saveCollisionDraft } from './collision-draft.ts'
import { ParticularsFields, type ParticularsHandle } from './ParticularsFields.tsx'

/** Between the first and the last of several sections of a law. */
const TO: Record<Locale, string> = { en: ' to ', 'fr-CA': ' à ' }

/** What the form of a message gets from the questions about a collision. */
export type CollisionHandle = {
  /** Returns what goes with the message; null when something is missing, which is then shown and has the focus. */
  collect: () => Promise<Collision | null>
}

type Props = {
  ref: Ref<CollisionHandle>
  /** Whether the sender has gone past the checklist. */
  ready: boolean
  onReadyChange: (ready: boolean) => void
}

/** Leads somebody who hit a vehicle past what the law of the province asks for to the card of particulars. */
export function HitQuestions({ ref, ready, onReadyChange }: Props) {
  const [province, setProvince] = useState<Province | ''>(() => asOneOf(PROVINCES, readCollisionDraft()['province']))
  const [provinceMissing, setProvinceMissing] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const checklist = useRef<HTMLElement>(null)
  const particulars = useRef<ParticularsHandle>(null)

  useEffect(() => {
    if (provinceMissing) container.current?.querySelector('select')?.focus()
  }, [provinceMissing])

  useImperativeHandle(ref, () => ({
    async collect(): Promise<Collision | null> {
      if (province === '') {
        setProvinceMissing(true)
        container.current?.querySelector('select')?.focus()
        return null
      }
      if (!ready) {
        checklist.current?.focus()
        return null
      }
      const card = await particulars.current?.collect()
      return card ? { kind: 'hit', province, ...card } : null
    },
  }))

  const choose = (chosen: Province | '') => {
    setProvince(chosen)
    setProvinceMissing(false)
    saveCollisionDraft({ province: chosen })
    if (ready) onReadyChange(false) // other duties: they come first
  }

  return (
    <div ref={container} className="grid gap-6">
      <Select
        label={m.collision_province()}
        placeholder={m.collision_province_choose()}
        options={PROVINCES.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
        value={province}
        error={provinceMissing && province === '' ? m.collision_province_missing() : undefined}
        onChange={(event) => choose(asOneOf(PROVINCES, event.target.value))}
      />
      {province !== '' && (
        <Checklist ref={checklist} province={province} onContinue={ready ? null : () => onReadyChange(true)} />
      )}
      {province !== '' && ready && <ParticularsFields ref={particulars} />}
    </div>
  )
}

type ChecklistProps = { ref: Ref<HTMLElement>; province: Province; onContinue: (() => void) | null }

/** Shows what the law of a province asks of a driver who hit a parked vehicle, with its source. */
function Checklist({ ref, province, onContinue }: ChecklistProps) {
  const id = useId()
  const { statute, sections, basis } = COLLISION_DUTIES[province]
  const locale = getLocale()
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-labelledby={id}
      className="grid scroll-mt-20 gap-4 rounded-xl border-2 border-pine bg-pine-soft p-4 sm:p-5"
    >
      <div className="flex items-start gap-3">
        <ListChecks aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        <h2 id={id} className="text-lg font-extrabold">
          {m.collision_duties({ province: provinceName(province, locale) })}
        </h2>
      </div>
      <ol className="grid list-decimal gap-2 pl-6">
        {dutiesFor(province, locale).map((duty) => (
          <li key={duty}>{duty}</li>
        ))}
      </ol>
      <p className="text-sm text-ink-soft">
        {basis === 'open' && `${m.collision_duties_open()} `}
        {statute[locale]}
        {basis !== 'open' && `, ${m.collision_sections({ sections: sections.replace(' to ', TO[locale]) })}`}
        {'. '}
        {m.collision_duties_source({ date: formatDate(`${DUTIES_LOOKED_AT}T12:00:00Z`) })}
      </p>
      {onContinue && (
        <Button size="lg" onClick={onContinue}>
          {m.collision_duties_continue()}
        </Button>
      )}
    </section>
  )
}
