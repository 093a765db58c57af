/** Where boot.js looks for a text to show; it takes it away in doing so. */
const FLASH_KEY = 'platenote-notice'

/** Leaves a text for the next page this tab loads, which may be one without scripts (layouts/FlashMessage.tsx). */
export function setFlashMessage(text: string) {
  try {
    sessionStorage.setItem(FLASH_KEY, text)
  } catch {
    // storage is forbidden: the next page says nothing
  }
}
