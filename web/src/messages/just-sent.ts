import { useLocation } from 'react-router'
import { queryClient } from '~/lib/query/query-client'

/** The state of the history entry of a message that was just sent: nothing of what was sent, which whoever signs in next would find. */
export const JUST_SENT = 'just-sent'

/** Returns whether the message of the address was just sent. */
export const useIsJustSent = (): boolean => useLocation().state === JUST_SENT

/** Fetches again what shows a message that was just sent. */
export function refetchSent() {
  void queryClient.invalidateQueries({ queryKey: ['messages', 'sent'] })
  void queryClient.invalidateQueries({ queryKey: ['dashboard'] })
}
