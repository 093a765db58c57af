import { WifiOff } from 'lucide-react'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'

export const handle: RouteHandle = { static: true }

export const meta = () => privatePageMeta(m.offline_title())

/** An empty address: a link to it leads to the current one, which is that of the missing page. */
const SAME_ADDRESS = ''

/** Renders what the service worker shows instead of a page that could not be fetched. */
export default function OfflinePage() {
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-6 px-4 py-20 text-center sm:py-28">
      <WifiOff aria-hidden="true" className="size-14 text-ink-soft" strokeWidth={1.5} />
      <h1 className="text-3xl font-extrabold sm:text-4xl">{m.offline_title()}</h1>
      <p className="text-lg text-balance text-ink-soft">{m.offline_text()}</p>
      <a href={SAME_ADDRESS} className={buttonClass('primary', 'lg')}>
        {m.offline_retry()}
      </a>
    </div>
  )
}
