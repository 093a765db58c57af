import { paths } from '#contract/paths.ts'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'

export const handle: RouteHandle = { static: true, canonicalPath: paths.note() }

export const meta = () => privatePageMeta(m.note_gone_title())

/** Renders the page that the server responds with when a note was unwanted. */
export default function NoteGonePage() {
  return (
    <div className="mx-auto w-full max-w-xl px-4 pt-8 pb-20 sm:px-6 sm:pt-14">
      <Card className="grid gap-3">
        <h1 tabIndex={-1} className="text-3xl font-extrabold outline-none">
          {m.note_gone_title()}
        </h1>
        <p>{m.note_gone_text()}</p>
      </Card>
    </div>
  )
}
