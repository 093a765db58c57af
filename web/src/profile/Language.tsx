import { useQuery } from '@tanstack/react-query'
import type { Locale } from '#contract/product.ts'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { SelectControl } from '~/ui/Select'
import { Loaded, ProfileSection } from './frame/ProfileSection.tsx'

/** Each language by its own name, as in the language switch. */
const LANGUAGES: { value: Locale; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'fr-CA', label: 'Français' },
]

/** Shows the language of the account. A change is saved at once, and the page opens in it. */
export function Language() {
  const { mutate } = useUpdatePreferences()
  return (
    <ProfileSection title={m.profile_language()} intro={m.profile_language_hint()}>
      <Loaded query={useQuery(preferencesQuery)}>
        {({ locale }) => (
          <SelectControl
            aria-label={m.profile_language()}
            options={LANGUAGES}
            value={locale}
            onChange={({ target }) => mutate({ locale: target.value as Locale })}
          />
        )}
      </Loaded>
    </ProfileSection>
  )
}
