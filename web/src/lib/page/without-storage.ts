import { loadPage } from './load-page.ts'
import { storesNothing } from './storage.ts'

/*
 * Where nothing is stored each tab has a session of its own, which a full load would end. Whatever begins one loads this with
 * the auth client.
 */

/** Takes the place of BroadcastChannel, within this tab; some of these browsers forbid it too. */
class TabChannel extends EventTarget {
  static readonly all = new Set<TabChannel>()
  readonly name: string
  onmessage: ((event: MessageEvent) => void) | null = null

  constructor(name: string) {
    super()
    this.name = name
    TabChannel.all.add(this)
    this.addEventListener('message', (event) => this.onmessage?.(event as MessageEvent))
  }

  postMessage(data: unknown) {
    const others = [...TabChannel.all].filter((other) => other !== this && other.name === this.name)
    const deliver = (to: TabChannel) =>
      TabChannel.all.has(to) && to.dispatchEvent(new MessageEvent('message', { data }))
    for (const other of others) setTimeout(deliver, 0, other)
  }

  close() {
    TabChannel.all.delete(this)
  }
}

/** Follows a link that would load a page inside the app. React Router has taken its own before. */
function followInside(event: MouseEvent) {
  const link = (event.target as Element).closest('a')
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link?.target
  if (!link || opensElsewhere || event.defaultPrevented || link.download) return
  const { origin, pathname, search, hash } = link
  if (origin !== location.origin || (hash !== '' && pathname + search === location.pathname + location.search)) return
  event.preventDefault()
  loadPage(pathname + search + hash)
}

if (storesNothing) {
  Object.assign(window, { BroadcastChannel: TabChannel })
  addEventListener('click', followInside)
}
