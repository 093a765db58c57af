import { Printer, ShieldAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { formatShortDate } from '~/lib/dates/dates'
import { m } from '~/paraglide/messages'
import { Skeleton } from '~/ui/Skeleton'
import { Dialog } from '~/ui/signed-in/Dialog'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { Menu, MenuButton, MenuLink } from '~/ui/signed-in/Menu'

// loaded on demand: few people need it
const loadSheet = () => import('~/reports/SafetySheet')

/** Offers what is rarely needed about a message: block and report who wrote, keep a copy, see how long it is kept. */
export function MessageMenu({ message }: { message: ReceivedMessage | SentMessage }) {
  const { id, plate, kept_until } = message
  const [isOpen, setOpen] = useState(false)
  // a sheet that is opened again starts over; while one fades out it stays as it is
  const [round, setRound] = useState(0)
  const content = useRef<HTMLDivElement>(null)
  const show = () => {
    setRound(round + 1)
    setOpen(true)
  }
  return (
    <>
      <Menu about={plate === null ? m.message_note() : m.message_menu_about({ plate })}>
        {/* of what the user sent, only a reply was written by somebody else */}
        {('is_read' in message || message.reply !== null) && (
          <MenuButton icon={ShieldAlert} onClick={show}>
            {m.message_safety()}
          </MenuButton>
        )}
        <MenuLink icon={Printer} to={paths.messageCopy(id)}>
          {m.message_copy()}
        </MenuLink>
        <li className="px-3 py-2 text-sm text-ink-soft">
          <time dateTime={kept_until}>{m.message_kept_until({ date: formatShortDate(kept_until) })}</time>
        </li>
      </Menu>
      <Dialog open={isOpen} onOpenChange={setOpen} title={m.message_safety()} initialFocus={() => content.current}>
        <div ref={content} tabIndex={-1} className="outline-none">
          <LoadedPart name="safety sheet" load={loadSheet} skeleton={<Skeleton className="h-80 w-full" />}>
            {({ SafetySheet }) => <SafetySheet key={round} message={message} onClose={() => setOpen(false)} />}
          </LoadedPart>
        </div>
      </Dialog>
    </>
  )
}
