/** The look shared by `Dialog` and `ConfirmDialog`. On phones the sheet sits low, within reach of the thumb. */
export const dialogClass = {
  backdrop:
    'fixed inset-0 z-40 min-h-dvh bg-black/50 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0',
  popup:
    'fixed inset-x-4 bottom-4 z-50 mx-auto grid max-h-[calc(100dvh-2rem)] max-w-lg gap-4 overflow-y-auto rounded-2xl border border-line bg-surface p-6 text-ink ' +
    'shadow-float transition duration-150 data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 ' +
    'sm:top-1/2 sm:bottom-auto sm:-translate-y-1/2 sm:data-ending-style:-translate-y-[48%] sm:data-starting-style:-translate-y-[48%]',
  title: 'text-xl font-extrabold',
  description: 'text-ink-soft',
}
