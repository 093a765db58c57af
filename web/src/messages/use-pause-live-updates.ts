import { useEffect, useEffectEvent, useState } from 'react'

const SCROLLED_PX = 160

/**
 * Keeps what comes live from pushing down what somebody reads or writes: while the page is scrolled down, or a form is
 * being filled in, the list stays as it was, and the newer ones are only counted.
 *
 * @param ids the list, newest first
 * @returns how many at the top to leave out, and the way to show them
 */
export function usePauseLiveUpdates(ids: readonly string[]) {
  const [pausedAtId, setPausedAtId] = useState<string | null>(null)

  const updatePause = useEffectEvent(() => {
    const busy = scrollY > SCROLLED_PX || document.activeElement?.closest('form') != null
    if (!busy) setPausedAtId(null)
    else setPausedAtId((id) => id ?? ids[0] ?? null)
  })
  useEffect(() => {
    const onChange = () => updatePause()
    addEventListener('scroll', onChange, { passive: true })
    document.addEventListener('focusin', onChange)
    document.addEventListener('focusout', onChange)
    return () => {
      removeEventListener('scroll', onChange)
      document.removeEventListener('focusin', onChange)
      document.removeEventListener('focusout', onChange)
    }
  }, [])

  return {
    newerCount: pausedAtId === null ? 0 : Math.max(0, ids.indexOf(pausedAtId)),
    showNewer: () => {
      setPausedAtId(null)
      scrollTo({ top: 0 })
    },
  }
}
