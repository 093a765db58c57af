import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { m } from '~/paraglide/messages'

function subscribe(onChange: () => void) {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Says that there is no connection, as long as there is none. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <output className="sticky top-0 z-30 block">
      {!online && (
        <span className="flex items-center justify-center gap-2 bg-ink px-4 py-2 text-center font-bold text-paper">
          <WifiOff aria-hidden="true" className="size-5 shrink-0" />
          {m.offline()}
        </span>
      )}
    </output>
  )
}
