import { getAdminUser, getUsers, listAdminVehicles, listUserEvents, type VehicleFilters } from '#contract/admin.ts'
import { getPerson } from '#contract/people.ts'
import { endpointQuery, pagedQuery } from '~/lib/query/paged'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'

/** The disputes that were opened, each by its id. */
export const DISPUTE_KEY = [ADMIN_QUERY_KEY, 'inbox', 'dispute']

export const VEHICLES_KEY = [ADMIN_QUERY_KEY, 'vehicles']

/** Fetches the vehicles that match a filter, newest first, page by page. */
export const vehiclesQuery = (filters: VehicleFilters) =>
  pagedQuery([...VEHICLES_KEY, filters], listAdminVehicles, filters)

export const USERS_KEY = [ADMIN_QUERY_KEY, 'users']

/** Fetches the accounts a search finds, newest first, page by page; all of them without one. */
export const usersQuery = (search: string) =>
  pagedQuery([...USERS_KEY, search], getUsers, search === '' ? {} : { search })

/** Fetches one account. */
export const userQuery = (id: string) => endpointQuery([...USERS_KEY, 'one', id], getAdminUser, { id })

/** Fetches the events of an account, the latest first, page by page. */
export const userEventsQuery = (id: string) => pagedQuery([...USERS_KEY, 'events', id], listUserEvents, { id })

/** Fetches a person as admins see them. */
export const personQuery = (id: string) => endpointQuery([ADMIN_QUERY_KEY, 'person', id], getPerson, { id })
