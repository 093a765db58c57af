import { type InfiniteData, infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { call, urlOf } from '~/lib/http/api'

type Page<Item> = { items: Item[]; next: string | null }

/** The pages of a list that were loaded. */
export type Pages<Item> = InfiniteData<Page<Item>>

/** Fetches what a call returns. */
export const endpointQuery = <I extends z.ZodMiniType, O extends z.ZodMiniType, const Key extends QueryKey>(
  queryKey: Key,
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
) =>
  queryOptions({
    queryKey,
    meta: { url: urlOf(endpoint, input) },
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })

/** Fetches what a call lists, page by page. */
export const pagedQuery = <I extends z.ZodMiniType, P extends Page<unknown>>(
  queryKey: QueryKey,
  endpoint: Endpoint<I, z.ZodMiniType<P>>,
  input: z.input<I>,
) =>
  infiniteQueryOptions({
    queryKey,
    meta: { url: urlOf(endpoint, input) },
    initialPageParam: '',
    getNextPageParam: ({ next }: P) => next,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(endpoint, { ...(input as object), ...(cursor && { cursor }) } as z.input<I>, { signal }),
  })

/** Returns the items of all loaded pages, in order. */
export const flattenPages = <Item>(data: { pages: { items: Item[] }[] } | undefined): Item[] =>
  data?.pages.flatMap(({ items }) => items) ?? []

/** Returns the same pages with changed items. */
export const mapPageItems = <Item>(data: Pages<Item> | undefined, change: (items: Item[]) => Item[]) =>
  data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) }
