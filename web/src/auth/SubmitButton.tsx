import type { ReactNode } from 'react'
import { Button } from '~/ui/Button'
import { useHydrated } from './use-hydrated.ts'

type Props = { pending: boolean; pendingText: string; children: ReactNode }

/** The main action of a form. */
export function SubmitButton(props: Props) {
  // Until the scripts run the browser would send the form by itself, with the password, to a page that takes none.
  const type = useHydrated() ? 'submit' : 'button'
  return <Button {...props} type={type} variant="primary" size="lg" className="w-full" />
}
