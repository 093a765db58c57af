/** How a tag can be printed. */
export const PAPER_SIZES = ['letter', 'a6', 'window'] as const
export type PaperSize = (typeof PAPER_SIZES)[number]
