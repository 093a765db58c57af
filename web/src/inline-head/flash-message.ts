import { FLASH_MESSAGE } from '~/lib/page/inline-head-attributes'
import { takeFlashMessage } from '~/lib/session/flash-message'

/** Shows the message that the previous page left, where this page has an element for it. */
export function showFlashMessage() {
  document.addEventListener('DOMContentLoaded', () => {
    const element = document.querySelector(`[${FLASH_MESSAGE}]`)
    if (element) element.textContent = takeFlashMessage()
  })
}
