import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { getPushSettings, savePushSubscription } from '#contract/push.ts'
import { call } from '~/lib/http/api'
import { serviceWorkers } from '~/lib/page/service-workers'
import {
  endFormerSubscription,
  getPushOwner,
  registerServiceWorker,
  subscribeToPush,
} from '~/lib/push/push-subscription'

/** Lets the page load first: a starting service worker occupies a phone's processor for a while. */
const START_DELAY_MS = 3_000

/**
 * Renews the push subscription that the user enabled in this browser: with every visit it is sent to the server again,
 * because the session, the browser's endpoint and the server's key may have changed. Ends one of another user.
 */
export function useRenewPushSubscription(userId: string) {
  useEffect(() => {
    // after a failure the next visit tries again; the profile shows the state
    void endFormerSubscription(userId)
    const timer = setTimeout(() => void renewSubscription(userId).catch(() => {}), START_DELAY_MS)
    return () => clearTimeout(timer)
  }, [userId])
  useNavigateFromPush()
}

async function renewSubscription(userId: string) {
  await registerServiceWorker()
  if (getPushOwner() !== userId || Notification.permission !== 'granted') return
  const { public_key, renewal_token } = await call(getPushSettings, {})
  if (public_key !== null) await call(savePushSubscription, await subscribeToPush(public_key, renewal_token))
}

/** Navigates to the page of a clicked notification, which the service worker sends. */
function useNavigateFromPush() {
  const navigate = useNavigate()
  useEffect(() => {
    const workers = serviceWorkers()
    const onMessage = ({ data }: MessageEvent<{ open?: unknown }>) => {
      if (typeof data?.open === 'string' && data.open.startsWith('/')) void navigate(data.open)
    }
    workers?.addEventListener('message', onMessage)
    return () => workers?.removeEventListener('message', onMessage)
  }, [navigate])
}
