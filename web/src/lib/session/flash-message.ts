import { tabStore } from '~/lib/page/storage'

const FLASH_KEY = 'platenote-notice'

/** Leaves a text for the next page this tab loads, where the inline head script shows it. */
export const setFlashMessage = (text: string): void => tabStore.setItem(FLASH_KEY, text)

/** Returns the text that the previous page left, and removes it. */
export function takeFlashMessage(): string | null {
  const text = tabStore.getItem(FLASH_KEY)
  tabStore.removeItem(FLASH_KEY)
  return text
}
