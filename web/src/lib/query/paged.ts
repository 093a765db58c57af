import type { InfiniteData } from '@tanstack/react-query'

type Page<Item> = { items: Item[]; next: string | null }

/** The pages of a list that were loaded. */
export type Pages<Item> = InfiniteData<Page<Item>>

/** The options that every query of a paged list shares. */
export const pagedQueryOptions = { initialPageParam: '', getNextPageParam: (last: Page<unknown>) => last.next }

/** Returns the part of an endpoint's input that selects a page; nothing for the first one. */
export const cursorParams = (pageParam: string) => (pageParam ? { cursor: pageParam } : {})

/** Returns the items of all loaded pages, in order. */
export const flattenPages = <Item>(data: { pages: { items: Item[] }[] } | undefined): Item[] =>
  data?.pages.flatMap(({ items }) => items) ?? []

/** Returns the same pages with changed items. */
export const mapPageItems = <Item>(data: Pages<Item> | undefined, change: (items: Item[]) => Item[]) =>
  data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) }
