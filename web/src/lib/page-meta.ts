import { PRODUCT } from '#contract/product.ts'

/** The `meta` of a page: its title, and whether search engines may list it. */
export const pageMeta = (
  title: string,
  { description, listed = false }: { description?: string; listed?: boolean } = {},
) => [
  { title: title.startsWith(PRODUCT) ? title : `${title} · ${PRODUCT}` },
  ...(description ? [{ name: 'description', content: description }] : []),
  ...(listed ? [] : [{ name: 'robots', content: 'noindex' }]),
]
