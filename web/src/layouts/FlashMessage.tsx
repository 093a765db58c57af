/** What happened just before this page was loaded (lib/session/flash-message.ts). boot.js writes the text in; without one nothing is there. */
export function FlashMessage() {
  return (
    <p
      role="status"
      data-arrival-notice=""
      className="border-b border-good/25 bg-good-soft px-4 py-3 text-center font-bold text-good empty:hidden"
    />
  )
}
