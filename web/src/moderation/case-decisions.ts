import { useSyncExternalStore } from 'react'
import { type CaseAction, type CaseItem, decideCase, type OpenedCase } from '#contract/cases.ts'
import { withFreshFactor } from '~/admin/frame/step-up'
import { saveDraft } from '~/lib/form/drafts'
import { call } from '~/lib/http/api'
import { mapPageItems, type Pages } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { actionTexts, caseTitle } from './case-texts.ts'
import { delayAction } from './delayed-actions.ts'
import { casesQuery } from './queries.ts'

/** What an admin decides about a case that they have opened. */
export type CaseDecision = { opened: OpenedCase; action: CaseAction; reason: string; days?: number | undefined }

/** A case with how it was decided on this visit. It is open when somebody else has reported the same meanwhile. */
type DecidedCase = CaseItem & { decision_reason: string }

/** Returns the name of the draft of a reason, which is stored until the decision has been sent: it may be undone, or fail. */
export const reasonDraft = (caseId: string) => `case:${caseId}`

/** The decisions of this visit, by case id: the page of a case that was opened shows its decision without opening it again. */
let decided: ReadonlyMap<string, DecidedCase> = new Map()
const listeners = new Set<() => void>()

/** Delays a decision about a case, and sends it when nobody has undone it. */
export const delayDecision = (decision: CaseDecision) =>
  delayAction({
    id: decision.opened.id,
    title: `${actionTexts(decision.action, decision.opened.side).button()} · ${caseTitle(decision.opened)}`,
    send: () => send(decision),
  })

async function send({ opened: { id, side, reports }, action, reason, days }: CaseDecision) {
  const input = { id, action, reason, reports_read: reports.length, ...(days !== undefined && { days }) }
  const item = await withFreshFactor(() => call(decideCase, input, { withTimeout: true }))
  saveDraft(reasonDraft(id), undefined)
  decided = new Map(decided).set(id, { ...item, decision_reason: reason })
  for (const listener of listeners) listener()
  toast.success(actionTexts(action, side).done())
  if (item.state === 'open') {
    toast.warning(m.case_still_open())
    return
  }
  queryClient.setQueryData(casesQuery('open').queryKey, (data: Pages<CaseItem> | undefined) =>
    mapPageItems(data, (items) => items.filter((one) => one.id !== id)),
  )
}

/** Forgets how a case was decided on this visit, once the server says that it is open again: somebody else has reported the same. */
export function forgetDecision(id: string) {
  decided = new Map([...decided].filter(([decidedId]) => decidedId !== id))
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns how a case was decided on this visit; undefined when it was not. */
export const useDecidedCase = (id: string): DecidedCase | undefined =>
  useSyncExternalStore(
    subscribe,
    () => decided.get(id),
    () => undefined,
  )
