import { useLocation } from 'react-router'

/** The state of the history entry of a message that was just sent: nothing of what was sent, which whoever signs in next would find. */
export const JUST_SENT = 'just-sent'

/** Returns whether the message of the address was just sent. */
export const useIsJustSent = (): boolean => useLocation().state === JUST_SENT
