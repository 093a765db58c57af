import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getAdminUser, getUsers, listAdminVehicles, listUserEvents, type VehicleFilters } from '#contract/admin.ts'
import { getPerson } from '#contract/people.ts'
import { call } from '~/lib/http/api'
import { cursorParams, pagedQueryOptions } from '~/lib/query/paged'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'

/** The disputes that were opened, each by its id. */
export const DISPUTE_KEY = [ADMIN_QUERY_KEY, 'inbox', 'dispute']

export const VEHICLES_KEY = [ADMIN_QUERY_KEY, 'vehicles']

/** Fetches the vehicles that match a filter, newest first, page by page. */
export const vehiclesQuery = (filters: VehicleFilters) =>
  infiniteQueryOptions({
    ...pagedQueryOptions,
    queryKey: [...VEHICLES_KEY, filters],
    queryFn: ({ pageParam, signal }) => call(listAdminVehicles, { ...filters, ...cursorParams(pageParam) }, { signal }),
  })

export const USERS_KEY = [ADMIN_QUERY_KEY, 'users']

/** Fetches the accounts a search finds, newest first, page by page; all of them without one. */
export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    ...pagedQueryOptions,
    queryKey: [...USERS_KEY, search],
    queryFn: ({ pageParam, signal }) =>
      call(getUsers, { ...(search !== '' && { search }), ...cursorParams(pageParam) }, { signal }),
  })

/** Fetches one account. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...USERS_KEY, 'one', id],
    queryFn: ({ signal }) => call(getAdminUser, { id }, { signal }),
  })

/** Fetches the events of an account, the latest first, page by page. */
export const userEventsQuery = (id: string) =>
  infiniteQueryOptions({
    ...pagedQueryOptions,
    queryKey: [...USERS_KEY, 'events', id],
    queryFn: ({ pageParam, signal }) => call(listUserEvents, { id, ...cursorParams(pageParam) }, { signal }),
  })

export const personKey = (id: string) => [ADMIN_QUERY_KEY, 'person', id]

/** Fetches a person as admins see them. */
export const personQuery = (id: string) =>
  queryOptions({ queryKey: personKey(id), queryFn: ({ signal }) => call(getPerson, { id }, { signal }) })
