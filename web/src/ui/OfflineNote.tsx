import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'

/** Says below a submit button what happens to a form without a connection. `id` lets the button refer to the note. */
export function OfflineNote({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-2 text-sm font-semibold">
      <WifiOff aria-hidden="true" className="size-5 shrink-0" />
      {children}
    </p>
  )
}
