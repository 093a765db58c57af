import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { href, Link } from '~/lib/i18n/i18n'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'
import { Card } from '~/ui/Card'
import { caseTitle } from './case-texts.ts'
import { useDelayedActions } from './delayed-actions.ts'
import { casesQuery } from './queries.ts'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'

/** Leads from a case that has just been decided to the next one of the queue, also by the key n. */
export function NextCase({ decidedId }: { decidedId: string }) {
  const navigate = useNavigate()
  const { data } = useInfiniteQuery(casesQuery('open'))
  const delayed = useDelayedActions()
  const next = flattenPages(data).find(({ id }) => id !== decidedId && !delayed.some((one) => one.id === id))
  useKeyboardShortcuts((key) => {
    if (key !== 'n' || !next) return false
    void navigate(href(paths.adminReport(next.id)))
    return true
  })
  if (!data) return null
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      {next ? (
        <>
          <Link to={paths.adminReport(next.id)} className={buttonClass('primary')}>
            {m.case_next()}
            <ArrowRight aria-hidden="true" className="size-5" />
            <span className="sr-only">{caseTitle(next)}</span>
          </Link>
          <ShortcutHelp
            label={m.keys_label()}
            keys={[
              ['n', m.keys_next()],
              ['u', m.keys_undo()],
            ]}
          />
        </>
      ) : (
        <p>{m.case_next_none()}</p>
      )}
    </Card>
  )
}
