import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { addPushDevice, getPush } from '#contract/push.ts'
import { call } from '~/lib/api'
import { deviceOwner, forgetDevice, registerWorker, subscribe } from '~/lib/push-device'

/** The page comes first: a service worker that starts takes the processor of a phone for a while. */
const PAGE_FIRST_MS = 3_000

/**
 * Keeps what the person switched on in this browser: it is told to the server again with every visit, because sessions,
 * the browser's address and the server's key may have changed. What somebody else left on here ends.
 */
export function useKeepPush(userId: string) {
  useEffect(() => {
    // what fails is tried with the next visit; the profile shows how it stands
    endFormer(userId).catch(() => {})
    const timer = setTimeout(() => void keepPush(userId).catch(() => {}), PAGE_FIRST_MS)
    return () => clearTimeout(timer)
  }, [userId])
  useOpenFromPush()
}

/** What somebody else left on here must not show them anything more. */
async function endFormer(userId: string) {
  const owner = deviceOwner()
  if (owner !== null && owner !== userId) await forgetDevice()
}

async function keepPush(userId: string) {
  await registerWorker()
  if (deviceOwner() !== userId || Notification.permission !== 'granted') return
  const { public_key } = await call(getPush, {})
  if (public_key !== null) await call(addPushDevice, await subscribe(public_key))
}

/** A notification was pressed: the service worker says where to. */
function useOpenFromPush() {
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
