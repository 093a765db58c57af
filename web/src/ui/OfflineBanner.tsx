import { WifiOff } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useIsDisconnected } from '~/lib/live/connection-status'
import { useOnline } from '~/lib/page/browser-state'
import { m } from '~/paraglide/messages'
import { Spinner } from './Button.tsx'

/** Says that there is no connection while that lasts; less prominently when only live updates are missing. */
export function OfflineBanner() {
  const online = useOnline()
  const disconnected = useIsDisconnected()
  return (
    <output className="sticky top-0 z-30 block print:hidden">
      {!online && (
        <span className="flex items-center justify-center gap-2 bg-ink px-4 py-2 text-center font-bold text-paper">
          <WifiOff aria-hidden="true" className="size-5 shrink-0" />
          {m.offline()}
        </span>
      )}
      {online && disconnected && (
        // over the page, so that nothing moves when it appears or disappears
        <span className="pointer-events-none fixed inset-x-0 bottom-[calc(1rem+var(--toast,0px))] flex justify-center">
          <span className="flex items-center gap-2 rounded-full border border-line bg-surface px-4 py-2 text-sm font-bold text-ink-soft shadow-float">
            <Spinner />
            {m.reconnecting()}
          </span>
        </span>
      )}
    </output>
  )
}

/** Says below a submit button what happens to a form without a connection. `id` lets the button refer to the note. */
export function OfflineNote({ children, ...note }: ComponentProps<'p'>) {
  return (
    <p {...note} className="flex items-start gap-2 text-sm font-semibold">
      <WifiOff aria-hidden="true" className="size-5 shrink-0" />
      {children}
    </p>
  )
}
