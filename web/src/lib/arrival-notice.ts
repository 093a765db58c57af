/** Where boot.js looks for a text to show; it takes it away in doing so. */
const NOTICE_KEY = 'platenote-notice'

/** Leaves a text for the next page this tab loads, which may be one without scripts (layouts/ArrivalNotice.tsx). */
export function leaveNotice(text: string) {
  try {
    sessionStorage.setItem(NOTICE_KEY, text)
  } catch {
    // storage is forbidden: the next page says nothing
  }
}
