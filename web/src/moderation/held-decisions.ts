import { useSyncExternalStore } from 'react'
import { type CaseAction, type CaseItem, decideCase } from '#contract/cases.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { withFreshFactor } from '~/admin/frame/step-up'
import { call } from '~/lib/http/api'
import { mapPageItems, type Pages } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { SECOND_MS } from '~/lib/time/units'
import { toast } from '~/lib/toast/toast'
import { actionTexts } from './case-texts.ts'
import { casesQuery } from './queries.ts'

/*
 * A decision about a case is held for some seconds before it is sent, so that it can be undone: nobody has been told
 * anything until then. It is held outside of the pages, because the moderator goes on to the next case meanwhile.
 */

/** Enough to see that the wrong key was pressed. */
export const HOLD_MS = 8 * SECOND_MS

export type CaseDecision = { item: CaseItem; action: CaseAction; reason: string; days?: number | undefined }

export type HeldDecision = CaseDecision & {
  /** While it can still be undone; then it is being sent. */
  undoable: boolean
}

export type DecidedCase = CaseItem & { decision_reason: string }

const timers = new Map<string, ReturnType<typeof setTimeout>>()
/** What was decided on this visit, by the case: the page of one that is open shows it without opening it again. */
let decided: ReadonlyMap<string, DecidedCase> = new Map()
let held: readonly HeldDecision[] = []
const listeners = new Set<() => void>()

function setHeld(decisions: readonly HeldDecision[]) {
  held = decisions
  for (const listener of listeners) listener()
  // whoever leaves now is asked whether to lose what has not been sent
  if (held.length > 0) addEventListener('beforeunload', warnBeforeLeaving)
  else removeEventListener('beforeunload', warnBeforeLeaving)
}

const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

const without = (id: string) => held.filter(({ item }) => item.id !== id)

/** Holds a decision, and sends it when nobody has undone it. */
export function holdDecision(decision: CaseDecision) {
  const { id } = decision.item
  setHeld([...without(id), { ...decision, undoable: true }])
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => void send(decision), HOLD_MS),
  )
}

/** Forgets a decision that has not been sent. */
export function undoDecision(id: string) {
  clearTimeout(timers.get(id))
  timers.delete(id)
  setHeld(without(id))
}

/** Sends a decision at once. */
export function sendDecisionNow(id: string) {
  const decision = held.find(({ item, undoable }) => item.id === id && undoable)
  clearTimeout(timers.get(id))
  if (decision) void send(decision)
}

async function send({ item, action, reason, days }: CaseDecision) {
  const { id } = item
  timers.delete(id)
  setHeld(held.map((one) => (one.item.id === id ? { ...one, undoable: false } : one)))
  try {
    const input = { id, action, reason, ...(days !== undefined && { days }) }
    const closed = await withFreshFactor(() => call(decideCase, input, { withTimeout: true }))
    decided = new Map(decided).set(id, { ...closed, decision_reason: reason })
    queryClient.setQueryData(casesQuery('open').queryKey, (data: Pages<CaseItem> | undefined) =>
      mapPageItems(data, (items) => items.filter((one) => one.id !== id)),
    )
    toast.success(actionTexts(action).done())
  } catch (error) {
    toast.error(error)
  }
  setHeld(without(id))
  void queryClient.invalidateQueries({ queryKey: [ADMIN_QUERY_KEY] })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const NONE: readonly HeldDecision[] = []

/** Returns the decisions that are held or being sent, the latest last. */
export const useHeldDecisions = (): readonly HeldDecision[] =>
  useSyncExternalStore(
    subscribe,
    () => held,
    () => NONE,
  )

/** Returns how a case was decided on this visit; undefined when it was not. */
export const useDecidedCase = (id: string): DecidedCase | undefined =>
  useSyncExternalStore(
    subscribe,
    () => decided.get(id),
    () => undefined,
  )
