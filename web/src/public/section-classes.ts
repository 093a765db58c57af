/** The look of the sections of the landing page: close together on a phone, one to a screen on a desktop. */
export const section = 'mx-auto max-w-6xl px-4 py-7 sm:px-6 sm:py-20'
export const sectionTitle = 'text-[1.375rem] font-extrabold sm:text-4xl'
export const sectionText =
  'max-w-prose pt-1.5 text-[0.9375rem] leading-snug text-ink-soft sm:leading-normal sm:pt-3 sm:text-lg'
