import { useEffect, useEffectEvent, useState } from 'react'

const SCROLLED_PX = 160

/**
 * Keeps live updates from pushing down what somebody is reading or writing: while the page is scrolled down, or a form
 * is being filled in, the list stays as it was, and newer messages are only counted.
 *
 * @param ids the ids in the list, newest first
 * @returns how many at the top to leave out, and a function that shows them
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
