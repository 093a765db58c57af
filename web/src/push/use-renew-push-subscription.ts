import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { getPushSettings, savePushSubscription } from '#contract/push.ts'
import { call } from '~/lib/http/api'
import { getPushOwner, registerServiceWorker, subscribeToPush, unsubscribeFromPush } from '~/lib/push/push-subscription'

/** The page comes first: a service worker that starts takes the processor of a phone for a while. */
const START_DELAY_MS = 3_000

/**
 * Keeps what the person switched on in this browser: it is told to the server again with every visit, because sessions,
 * the browser's address and the server's key may have changed. What somebody else left on here ends.
 */
export function useRenewPushSubscription(userId: string) {
  useEffect(() => {
    // what fails is tried with the next visit; the profile shows how it stands
    removeFormerSubscription(userId).catch(() => {})
    const timer = setTimeout(() => void renewSubscription(userId).catch(() => {}), START_DELAY_MS)
    return () => clearTimeout(timer)
  }, [userId])
  useNavigateFromPush()
}

/** What somebody else left on here must not show them anything more. */
async function removeFormerSubscription(userId: string) {
  const owner = getPushOwner()
  if (owner !== null && owner !== userId) await unsubscribeFromPush()
}

async function renewSubscription(userId: string) {
  await registerServiceWorker()
  if (getPushOwner() !== userId || Notification.permission !== 'granted') return
  const { public_key } = await call(getPushSettings, {})
  if (public_key !== null) await call(savePushSubscription, await subscribeToPush(public_key))
}

/** A notification was pressed: the service worker says where to. */
function useNavigateFromPush() {
  const navigate = useNavigate()
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    const onMessage = ({ data }: MessageEvent<{ open?: unknown }>) => {
      if (typeof data?.open === 'string' && data.open.startsWith('/')) void navigate(data.open)
    }
    navigator.serviceWorker.addEventListener('message', onMessage)
    return () => navigator.serviceWorker.removeEventListener('message', onMessage)
  }, [navigate])
}
