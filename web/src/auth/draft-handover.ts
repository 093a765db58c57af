import { allDrafts, draftOwner, saveDraft, setDraftOwner } from '~/lib/form/drafts'
import { storesNothing } from '~/lib/page/storage'

/*
 * What somebody was writing when their session ended is in one tab; a link from an email opens another one.
 */
const CHANNEL = 'platenote-drafts'
/** Another tab answers within some milliseconds; one the browser has put to sleep does not, and keeps its drafts. */
const TIMEOUT_MS = 300

type Handover = { owner: string; drafts: Record<string, unknown> }

/** Gives what its owner was writing in this tab to the tab in which they sign in. Returns a function that ends that. */
export function offerDrafts(): () => void {
  if (storesNothing) return () => {} // what is written stays in its tab; some of these browsers have no channels
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data: owner }: MessageEvent<string | Handover>) => {
    if (typeof owner === 'string' && owner === draftOwner())
      channel.postMessage({ owner, drafts: allDrafts() } satisfies Handover)
  }
  return () => channel.close()
}

/** Fetches what somebody was writing in another tab, from one that waits for them to sign in. Resolves soon, and never throws. */
export async function fetchDrafts(owner: string): Promise<void> {
  if (draftOwner() === owner) return // this tab has its own
  const channel = new BroadcastChannel(CHANNEL)
  await new Promise<void>((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<string | Handover>) => {
      if (typeof data === 'string' || data.owner !== owner) return
      setDraftOwner(owner)
      for (const [name, draft] of Object.entries(data.drafts)) saveDraft(name, draft)
      resolve()
    }
    setTimeout(resolve, TIMEOUT_MS)
    channel.postMessage(owner)
  })
  channel.close()
}
