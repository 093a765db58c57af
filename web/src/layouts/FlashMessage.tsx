import { FLASH_MESSAGE } from '~/lib/page/inline-head-attributes'

/** What happened just before this page was loaded (lib/session/flash-message.ts). the inline head script writes the text in; without one nothing is there. */
export function FlashMessage() {
  return (
    <p
      role="status"
      {...{ [FLASH_MESSAGE]: '' }}
      className="border-b border-good/25 bg-good-soft px-4 py-3 text-center font-bold text-good empty:hidden"
    />
  )
}
