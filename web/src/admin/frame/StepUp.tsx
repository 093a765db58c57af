import { useEffect, useRef, useState } from 'react'
import { loadModule } from '~/lib/http/load-module'
import { setAskForFactor } from './step-up.ts'

type DialogModule = typeof import('./StepUpDialog.tsx')

/** Asks for a second factor when `withFreshFactor` wants one. The dialog is loaded then: most visits need none. */
export function StepUp() {
  const [open, setOpen] = useState(false)
  const [{ StepUpDialog }, setLoaded] = useState<Partial<DialogModule>>({})
  const settle = useRef<(given: boolean) => void>(() => {})

  useEffect(() => {
    setAskForFactor(async () => {
      settle.current(false) // two at once: the later one is shown
      const loaded = await loadModule(import('./StepUpDialog.tsx')).catch(() => null)
      if (!loaded) return false
      setLoaded(loaded)
      setOpen(true)
      return new Promise((resolve) => {
        settle.current = resolve
      })
    })
    return () => setAskForFactor(null)
  }, [])
  const close = (given: boolean) => {
    setOpen(false)
    settle.current(given)
  }
  return StepUpDialog ? <StepUpDialog open={open} onClose={close} /> : null
}
