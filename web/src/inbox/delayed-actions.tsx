import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { InboxKind } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { saveDraft } from '~/lib/form/drafts'
import { errorMessage } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { createStore } from '~/lib/page/store'
import { queryClient } from '~/lib/query/query-client'
import { UNDO_MS } from '~/lib/time/timeout'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { UnsentText } from '~/ui/signed-in/UnsentText'
import { useKeyboardShortcuts } from './keyboard-shortcuts.tsx'
import { removeFromLists } from './queries.ts'

/*
 * Delays what an admin decides for some seconds before it is sent, so that it can be undone: until then nobody is notified.
 * It is kept outside of the pages, because the admin goes on to the next item meanwhile.
 */

type NewAction = {
  /** What is decided about. */
  kind: InboxKind
  /** Names the decision. */
  title: string
  /** What is decided about, as it was opened: an undo shows it again. */
  opened: { id: string }
  /** What was typed for it, which is shown with what `send` throws: it may have been decided elsewhere. */
  typed: string
  /** The draft that keeps it until it has been sent. */
  draft: string
  /** Sends it. */
  send: () => Promise<void>
}

/** A decision that is delayed, or on its way, or was refused. */
type DelayedAction = NewAction & {
  /** Sends it, while it can still be undone; null once it is being sent. */
  timer: ReturnType<typeof setTimeout> | null
  /** Why it was refused. */
  error?: string
}

const store = createStore<readonly DelayedAction[]>([])

/** Returns what is delayed, being sent or refused, the latest last. */
export const useDelayedActions = store.useValue

/** The item whose decision was just undone. */
let undone: { id: string } | undefined

function setDelayed(actions: readonly DelayedAction[]) {
  store.set(actions)
  // an admin who leaves now is asked whether to lose what has not been sent
  if (actions.some(({ error }) => error === undefined)) addEventListener('beforeunload', warnBeforeLeaving)
  else removeEventListener('beforeunload', warnBeforeLeaving)
}

const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

const without = (id: string) => store.get().filter(({ opened }) => opened.id !== id)

/** Delays an action, and sends it when nobody has undone it. */
export function delayAction(action: NewAction) {
  const { id } = action.opened
  takeWaiting(id)
  setDelayed([...without(id), { ...action, timer: setTimeout(() => void sendAction(id), UNDO_MS) }])
}

/** Drops an action that has not been sent. */
function undoAction(id: string) {
  const action = takeWaiting(id)
  if (!action) return
  undone = action.opened
  setDelayed(without(id))
}

/** Sends an action at once. */
async function sendAction(id: string) {
  const action = takeWaiting(id)
  if (!action) return // it is being sent
  setDelayed(store.get().map((one) => (one === action ? { ...one, timer: null } : one)))
  try {
    await action.send()
    saveDraft(action.draft, undefined)
    removeFromLists(id)
    setDelayed(without(id))
  } catch (error) {
    setDelayed(store.get().map((one) => (one.opened === action.opened ? { ...one, error: errorMessage(error) } : one)))
  }
  void queryClient.invalidateQueries({ queryKey: [ADMIN_QUERY_KEY] })
}

/** Returns an action that can still be undone, and stops its clock. */
function takeWaiting(id: string) {
  const action = store.get().find(({ opened, timer }) => opened.id === id && timer !== null)
  clearTimeout(action?.timer ?? undefined)
  return action
}

/** Holds an item that the admin has opened. One whose decision was just undone is open again, once. */
export function useOpened<Opened extends { id: string }>(id: string) {
  const [opened, setOpened] = useState(() => (undone?.id === id ? (undone as Opened) : undefined))
  useEffect(() => {
    undone = undefined
  }, [])
  return [opened, setOpened] as const
}

/** Shows the decisions that can still be undone. Always on the page, so that screen readers announce a new one. */
export function DelayedActions() {
  const navigate = useNavigate()
  const delayed = useDelayedActions()
  const last = delayed.findLast(({ timer }) => timer !== null)
  const show = ({ kind, opened }: DelayedAction) => navigate(href(paths.adminInbox(kind, opened.id)))
  const undo = (action: DelayedAction) => {
    undoAction(action.opened.id)
    void show(action)
  }
  const discard = ({ opened, draft }: DelayedAction) => {
    saveDraft(draft, undefined)
    setDelayed(without(opened.id))
  }
  useKeyboardShortcuts((key) => {
    if (key !== 'u' || !last) return false
    undo(last)
    return true
  })
  return (
    <div role="status" className="sticky top-20 z-10 grid gap-2 empty:hidden not-empty:mb-6 lg:top-4">
      {delayed.map((one) => (
        <div
          key={one.opened.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl border border-warn/25 bg-warn-soft px-4 py-3"
        >
          <p className="font-bold text-warn">
            {one.title}.{' '}
            <span className="font-normal">{one.error ?? (one.timer ? m.inbox_held() : m.inbox_sending())}</span>
          </p>
          {one.timer && (
            <div className="flex flex-wrap gap-2">
              <Button icon={Undo2} onClick={() => undo(one)}>
                {m.inbox_undo()}
              </Button>
              <Button variant="ghost" onClick={() => void sendAction(one.opened.id)}>
                {m.inbox_send_now()}
              </Button>
            </div>
          )}
          {one.error !== undefined && (
            <>
              <div className="flex gap-2">
                <Button onClick={() => void show(one)}>{m.inbox_show_item()}</Button>
                <Button variant="ghost" onClick={() => discard(one)}>
                  {m.unsent_discard()}
                </Button>
              </div>
              <div className="w-full">
                <UnsentText text={one.typed} />
              </div>
            </>
          )}
        </div>
      ))}
    </div>
  )
}
