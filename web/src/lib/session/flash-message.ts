const FLASH_KEY = 'platenote-notice'

/** Leaves a text for the next page this tab loads, where the inline head script shows it. */
export function setFlashMessage(text: string) {
  try {
    sessionStorage.setItem(FLASH_KEY, text)
  } catch {
    // storage is forbidden: the next page shows nothing
  }
}

/** Returns the text that the previous page left, and removes it. */
export function takeFlashMessage(): string | null {
  try {
    const text = sessionStorage.getItem(FLASH_KEY)
    sessionStorage.removeItem(FLASH_KEY)
    return text
  } catch {
    return null // storage is forbidden: nothing was left
  }
}
