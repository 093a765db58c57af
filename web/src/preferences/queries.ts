import { getPreferences, type Preferences, updatePreferences } from '#contract/preferences.ts'
import { call } from '~/lib/http/api'
import { currentPath, getLocale, href } from '~/lib/i18n/i18n'
import { loadPage } from '~/lib/page/load-page'
import { useOptimisticMutation } from '~/lib/query/mutations'
import { endpointQuery } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { rememberLanguage } from '~/lib/session/account-cookie'

/** Fetches the user's preferences: language and emails. */
export const preferencesQuery = endpointQuery(['preferences'], getPreferences, {})

/**
 * Changes some of the preferences. A new language applies to the page too, which then reloads, as with the language switch.
 */
export function useUpdatePreferences() {
  const show = (changes: Partial<Preferences>) =>
    queryClient.setQueryData(preferencesQuery.queryKey, (all) => all && { ...all, ...changes })
  return useOptimisticMutation({
    mutationKey: ['preferences', 'change'],
    mutationFn: (change: Partial<Preferences>) => call(updatePreferences, change),
    scope: { id: 'preferences' }, // one after the other, so that the latest choice wins
    queryKey: preferencesQuery.queryKey,
    show(change) {
      const before = queryClient.getQueryData(preferencesQuery.queryKey)
      show(change)
      // only these: others may have changed since
      return () => before && show(pick(before, Object.keys(change) as (keyof Preferences)[]))
    },
    onSuccess: (_, { locale }) => {
      if (locale === undefined) return
      rememberLanguage(locale, true)
      if (locale !== getLocale()) loadPage(href(currentPath(), locale))
    },
  })
}

const pick = (all: Preferences, keys: (keyof Preferences)[]): Partial<Preferences> =>
  Object.fromEntries(keys.map((key) => [key, all[key]]))
