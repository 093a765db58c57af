import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getPreferences, type Preferences, updatePreferences } from '#contract/preferences.ts'
import { call } from '~/lib/http/api'
import { currentPath, getLocale, href } from '~/lib/i18n/i18n'
import { loadPage } from '~/lib/page/load-page'
import { isLastMutation } from '~/lib/query/mutations'
import { rememberLanguage } from '~/lib/session/account-language'
import { toast } from '~/lib/toast/toast'

/** Fetches the user's preferences: language and emails. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: ({ signal }) => call(getPreferences, {}, { signal }),
})

const CHANGE_MUTATION_KEY = ['preferences', 'change']

/**
 * Changes some of the preferences. The screen changes at once, and back when the server refuses. A new language applies to
 * the page too, which then reloads, as with the language switch.
 */
export function useUpdatePreferences() {
  const queries = useQueryClient()
  const updateCache = (changes: Partial<Preferences>) =>
    queries.setQueryData(preferencesQuery.queryKey, (all) => all && { ...all, ...changes })
  return useMutation({
    mutationKey: CHANGE_MUTATION_KEY,
    scope: { id: 'preferences' }, // one after the other, so that the latest choice wins
    networkMode: 'always', // fails at once without a connection, instead of being sent hours later
    mutationFn: (change: Partial<Preferences>) => call(updatePreferences, change),
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey: preferencesQuery.queryKey, exact: true })
      const before = queries.getQueryData(preferencesQuery.queryKey)
      updateCache(change)
      return before
    },
    onSuccess: (_, { locale }) => {
      if (locale === undefined) return
      rememberLanguage(locale, true)
      if (locale !== getLocale()) loadPage(href(currentPath(), locale))
    },
    onError: (error, change, before) => {
      // only these: others may have changed since
      if (before) updateCache(pick(before, Object.keys(change) as (keyof Preferences)[]))
      toast.error(error)
    },
    onSettled: () => {
      if (!isLastMutation(queries, CHANGE_MUTATION_KEY)) return
      return queries.invalidateQueries({ queryKey: preferencesQuery.queryKey, exact: true })
    },
  })
}

const pick = (all: Preferences, keys: (keyof Preferences)[]): Partial<Preferences> =>
  Object.fromEntries(keys.map((key) => [key, all[key]]))
