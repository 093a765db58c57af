import { useMutation } from '@tanstack/react-query'
import { Eye, IdCard } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  answerWitness,
  askWitness,
  type MessageCollision as Collision,
  PARTICULARS_MAX,
  type WitnessContact,
  type WitnessState,
  withdrawWitness,
} from '#contract/collisions.ts'
import { paths } from '#contract/paths.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/Field'

type Props = { id: string; view: 'received' | 'sent'; collision: Collision }

/** Shows the collision that a message is about: a link to the card of particulars, or the state of the request to the witness. */
export function MessageCollision({ id, view, collision: { kind, witness, contact } }: Props) {
  if (kind === 'hit') {
    return (
      <Panel icon={<IdCard aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />}>
        <p className="font-bold">{view === 'received' ? m.collision_card_received() : m.collision_card_sent()}</p>
        <Link to={paths.collisionCard(id)} className="link inline-flex min-h-11 items-center font-bold">
          {m.collision_card_open()}
        </Link>
      </Panel>
    )
  }
  if (witness === null) return null
  return (
    <Panel icon={<Eye aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />}>
      {contact ? (
        <Contact view={view} contact={contact} />
      ) : view === 'received' ? (
        <ForOwner id={id} witness={witness} />
      ) : (
        <ForWitness id={id} witness={witness} />
      )}
    </Panel>
  )
}

const Panel = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <div className="flex items-start gap-3 rounded-xl bg-sunken p-4">
    {icon}
    <div className="grid min-w-0 flex-1 justify-items-start gap-2">{children}</div>
  </div>
)

function Contact({ view, contact: { name, phone } }: { view: Props['view']; contact: WitnessContact }) {
  return (
    <>
      <p className="font-bold">{view === 'received' ? m.witness_released() : m.witness_released_own()}</p>
      <p translate="no">
        {name}
        <br />
        {phone}
      </p>
      {view === 'received' && <p className="text-sm text-ink-soft">{m.witness_released_use()}</p>}
    </>
  )
}

/** Takes a step about a witness, and refetches the messages, also after a failure: the other side may have acted meanwhile. */
function useWitnessStep<Input = void>(take: (input: Input) => Promise<unknown>) {
  return useMutation({
    mutationFn: take,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['messages'] }),
  })
}

function ForOwner({ id, witness }: { id: string; witness: WitnessState }) {
  const ask = useWitnessStep(() => call(askWitness, { id }))
  if (witness !== 'offered')
    return <p role="status">{witness === 'asked' ? m.witness_asked() : m.witness_declined()}</p>
  return (
    <>
      <p className="font-bold">{m.witness_offered()}</p>
      <p className="text-sm text-ink-soft">{m.witness_offered_text()}</p>
      <Button pending={ask.isPending} onClick={() => ask.mutate()}>
        {m.witness_ask()}
      </Button>
    </>
  )
}

function ForWitness({ id, witness }: { id: string; witness: WitnessState }) {
  const withdraw = useWitnessStep(() => call(withdrawWitness, { id }))
  if (witness === 'asked') return <AnswerForm id={id} />
  if (witness !== 'offered') return <p role="status">{m.witness_declined_own()}</p>
  return (
    <>
      <p className="font-bold">{m.witness_offered_own()}</p>
      <p className="text-sm text-ink-soft">{m.witness_offered_own_text()}</p>
      <Button variant="ghost" className="-ml-4" pending={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {m.witness_withdraw()}
      </Button>
    </>
  )
}

/** Asks for the witness's second confirmation, and for a contact, which is not anonymous. */
function AnswerForm({ id }: { id: string }) {
  const answer = useWitnessStep((contact: WitnessContact | null) =>
    call(answerWitness, contact ? { id, release: true, contact } : { id, release: false }),
  )
  const { register, formProps } = useForm({
    defaultValues: { 'witness-name': '', 'witness-phone': '' },
    validate: (values) => ({
      'witness-name': hasVisibleCharacter(values['witness-name']) || m.field_name_missing(),
      'witness-phone': hasVisibleCharacter(values['witness-phone']) || m.field_phone_missing(),
    }),
    // a toast says what fails
    async onSubmit({ 'witness-name': name, 'witness-phone': phone }) {
      await answer.mutateAsync({ name, phone })
    },
  })
  return (
    <form noValidate className="grid w-full max-w-md gap-4" {...formProps}>
      <div className="grid gap-1">
        <p className="font-bold">{m.witness_question()}</p>
        <p>{m.collision_not_anonymous()}</p>
      </div>
      <TextField
        label={m.collision_name()}
        autoComplete="name"
        maxLength={PARTICULARS_MAX.name}
        {...register('witness-name')}
      />
      <TextField
        type="tel"
        label={m.collision_phone()}
        autoComplete="tel"
        maxLength={PARTICULARS_MAX.phone}
        {...register('witness-phone')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" pending={answer.isPending}>
          {m.witness_release()}
        </Button>
        <Button onClick={() => answer.mutate(null)}>{m.witness_decline()}</Button>
      </div>
    </form>
  )
}
