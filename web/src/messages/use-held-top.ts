import { useEffect, useEffectEvent, useState } from 'react'

const AWAY_PX = 160

/**
 * Keeps what comes live from pushing down what somebody reads or writes: while the page is scrolled down, or a form is
 * being filled in, the list stays as it was, and the newer ones are only counted.
 *
 * @param ids the list, newest first
 * @returns how many at the top to leave out, and the way to show them
 */
export function useHeldTop(ids: readonly string[]) {
  const [held, setHeld] = useState<string | null>(null)

  const look = useEffectEvent(() => {
    const busy = scrollY > AWAY_PX || document.activeElement?.closest('form') != null
    if (!busy) setHeld(null)
    else setHeld((id) => id ?? ids[0] ?? null)
  })
  useEffect(() => {
    const onChange = () => look()
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
    newer: held === null ? 0 : Math.max(0, ids.indexOf(held)),
    showNewer: () => {
      setHeld(null)
      scrollTo({ top: 0 })
    },
  }
}
