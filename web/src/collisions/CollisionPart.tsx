import clsx from 'clsx'
import { Car, Check, Eye } from 'lucide-react'
import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { COLLISION_KINDS, type CollisionKind } from '#contract/collisions.ts'
import { m } from '~/paraglide/messages'
import { Checkbox } from '~/ui/Checkbox'
import { FieldError } from '~/ui/Field'
import { type CollisionHandle, HitQuestions } from './HitQuestions.tsx'

/** The state of the questions: what the sender did, and whether the message may follow. */
export type CollisionStep = { kind: CollisionKind | null; ready: boolean }

type Props = {
  ref: Ref<CollisionHandle>
  step: CollisionStep
  onStep: (step: CollisionStep) => void
}

const CHOICES = {
  hit: { icon: Car, label: m.collision_hit },
  saw: { icon: Eye, label: m.collision_saw },
}

/** Asks somebody who writes about a collision whether they hit the vehicle or saw it, and what follows from that. */
export function CollisionPart({ ref, step, onStep }: Props) {
  const { kind, ready } = step
  const hit = useRef<CollisionHandle>(null)
  const first = useRef<HTMLButtonElement>(null)
  const errorId = useId()
  const [missing, setMissing] = useState(false)
  const [witness, setWitness] = useState(false)

  useEffect(() => {
    if (missing) first.current?.focus()
  }, [missing])

  useImperativeHandle(ref, () => ({
    async collect() {
      if (kind === 'hit') return (await hit.current?.collect()) ?? null
      if (kind === 'saw') return { kind, witness }
      setMissing(true)
      first.current?.focus()
      return null
    },
  }))

  return (
    <div className="grid gap-6">
      <fieldset aria-describedby={missing && kind === null ? errorId : undefined}>
        <legend className="pb-2 font-bold">{m.collision_question()}</legend>
        <div className="grid grid-cols-2 gap-2">
          {COLLISION_KINDS.map((choice, i) => {
            const { icon: Icon, label } = CHOICES[choice]
            const pressed = choice === kind
            const ShownIcon = pressed ? Check : Icon
            return (
              <button
                key={choice}
                ref={i === 0 ? first : undefined}
                type="button"
                aria-pressed={pressed}
                onClick={() => onStep({ kind: choice, ready: choice === 'saw' })}
                className={clsx(
                  'flex min-h-14 items-center gap-2.5 rounded-[0.625rem] border px-3 py-2 text-left leading-tight font-semibold',
                  pressed
                    ? 'border-pine bg-pine-soft ring-1 ring-pine'
                    : 'border-line-strong bg-surface hover:bg-sunken active:bg-sunken',
                )}
              >
                <ShownIcon aria-hidden="true" className="size-5 shrink-0 text-pine" />
                {label()}
              </button>
            )
          })}
        </div>
        <div className="pt-1.5 empty:hidden">
          <FieldError id={errorId} text={missing && kind === null ? m.collision_question_missing() : undefined} />
        </div>
      </fieldset>
      {kind === 'saw' && (
        <Checkbox
          label={m.collision_witness()}
          hint={m.collision_witness_hint()}
          checked={witness}
          onChange={(event) => setWitness(event.target.checked)}
        />
      )}
      {kind === 'hit' && (
        <HitQuestions ref={hit} ready={ready} onReadyChange={(isReady) => onStep({ kind, ready: isReady })} />
      )}
    </div>
  )
}
