import { useEffect } from 'react'
import { type MetaFunction, useLocation, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { displayPlate, PLATE_TYPED_MAX } from '#contract/plates.ts'
import { SEND_INTENT_KEY } from '~/lib/form/drafts'
import { canonicalPath } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { browserStore } from '~/lib/page/storage'
import { leftNote, NOTE_LEFT } from '~/notes/left-note'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { SendForm } from './SendForm.tsx'

export const meta: MetaFunction = ({ location: { pathname } }) =>
  privatePageMeta(isCollision(pathname) ? m.page_collision() : m.page_send())

const isCollision = (pathname: string) => canonicalPath(pathname) === paths.collision()

const loadNotePanel = () => import('~/notes/NoteLeftPanel')

/**
 * Renders /send: a message to the owner of a plate (requirements §2); `?plate=` fills in the plate. And /send/collision, where
 * somebody who hit the vehicle is not anonymous (decision collision-messages).
 */
export default function SendPage() {
  const [search] = useSearchParams()
  const { state, pathname } = useLocation() // a link to this page leads to the form again
  const note = state === NOTE_LEFT ? leftNote.current : null
  const plateFromUrl = displayPlate(search.get('plate') ?? '').slice(0, PLATE_TYPED_MAX)

  useEffect(() => {
    browserStore.removeItem(SEND_INTENT_KEY) // here they are
    return () => {
      leftNote.current = null
    }
  }, [])

  if (note) {
    return (
      <div className="max-w-xl">
        <LoadedPart name="note panel" load={loadNotePanel} skeleton={<Skeleton className="h-96 w-full" />}>
          {({ NoteLeftPanel }) => <NoteLeftPanel note={note} />}
        </LoadedPart>
      </div>
    )
  }
  const isHit = isCollision(pathname)
  return (
    <>
      <PageHeader
        {...(isHit && { back: { to: paths.send(), text: m.page_send() } })}
        title={isHit ? m.page_collision() : m.page_send()}
      >
        <p>{isHit ? m.collision_intro() : m.send_intro()}</p>
      </PageHeader>
      <div className="grid items-start gap-10 xl:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
        <SendForm key={`${pathname} ${plateFromUrl}`} plateFromUrl={plateFromUrl} isHit={isHit} />
        {!isHit && <HowItWorks />}
      </div>
    </>
  )
}

/** Explains sending in four steps (requirements §2). */
function HowItWorks() {
  const steps = [m.send_step_1(), m.send_step_2(), m.send_step_3(), m.send_step_4()]
  return (
    <section aria-labelledby="how-it-works" className="rounded-2xl bg-sunken p-5 sm:p-6">
      <h2 id="how-it-works" className="pb-4 text-xl font-extrabold">
        {m.send_how_it_works()}
      </h2>
      <ol className="grid gap-4">
        {steps.map((step, i) => (
          <li key={step} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-7 shrink-0 place-items-center rounded-full bg-pine-soft text-sm font-bold text-pine tabular-nums"
            >
              {i + 1}
            </span>
            <span className="pt-0.5">{step}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
