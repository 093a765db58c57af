import { toast as show } from 'sonner'
import { errorMessage } from '~/lib/api'

/** Short texts that come and go; screen readers hear them through sonner's live region (ui/Toasts.tsx). */
export const toast = {
  success: (text: string) => void show.success(text),
  warning: (text: string) => void show.warning(text),
  /** A text, or whatever a call threw. */
  error: (what: unknown) => void show.error(typeof what === 'string' ? what : errorMessage(what)),
}
