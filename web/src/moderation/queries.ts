import { infiniteQueryOptions } from '@tanstack/react-query'
import { listCases } from '#contract/cases.ts'
import { type DeskState, listContact } from '#contract/contact-desk.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { call } from '~/lib/http/api'
import { cursorParams, pagedQueryOptions } from '~/lib/query/paged'

/** The first part of the key of all lists of contact submissions. */
export const CONTACT_KEY = [ADMIN_QUERY_KEY, 'contact']

/** Fetches the cases of reported messages, page by page. */
export const casesQuery = (state: DeskState) =>
  infiniteQueryOptions({
    ...pagedQueryOptions,
    queryKey: [ADMIN_QUERY_KEY, 'cases', state],
    queryFn: ({ pageParam, signal }) => call(listCases, { state, ...cursorParams(pageParam) }, { signal }),
  })

/** Fetches the contact submissions, page by page. */
export const contactQuery = (state: DeskState) =>
  infiniteQueryOptions({
    ...pagedQueryOptions,
    queryKey: [...CONTACT_KEY, state],
    queryFn: ({ pageParam, signal }) => call(listContact, { state, ...cursorParams(pageParam) }, { signal }),
  })
