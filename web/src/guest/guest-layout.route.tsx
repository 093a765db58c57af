import { ChevronDown, Languages } from 'lucide-react'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { GUEST_LANGUAGE_FACTS, GUEST_LANGUAGES, type GuestLanguage } from '#contract/guest-languages.ts'
import { NarrowLayout } from '~/frame/NarrowLayout'
import {
  chooseGuestLanguage,
  GUEST_FORM_ID,
  languageAttributes,
  startGuestLanguage,
  useGuest,
} from './guest-language.ts'

/**
 * Shows the pages for people at a vehicle who have no account, in one of ten languages. What is
 * around it (home, legal pages) is in the language of the page.
 */
export default function GuestLayout() {
  const { language } = useGuest()
  useEffect(() => void startGuestLanguage(), [])
  return (
    <NarrowLayout languages={<GuestLanguageSelect />} className="pt-4 sm:pt-10" {...languageAttributes(language)}>
      <Outlet />
    </NarrowLayout>
  )
}

/** Lets a guest choose one of the ten languages, each by its own name. */
function GuestLanguageSelect() {
  const { language, texts } = useGuest()
  return (
    <div className="relative min-w-0">
      <Languages
        aria-hidden="true"
        className="pointer-events-none absolute start-3 top-1/2 size-5 -translate-y-1/2 text-ink-soft"
      />
      <select
        name="language"
        form={GUEST_FORM_ID}
        aria-label={texts.common.language}
        value={language}
        onChange={(event) => void chooseGuestLanguage(event.target.value as GuestLanguage)}
        className="control w-auto! max-w-full appearance-none text-ellipsis py-2! ps-10! pe-9! font-semibold"
      >
        {GUEST_LANGUAGES.map((one) => (
          <option key={one} value={one} {...languageAttributes(one)}>
            {GUEST_LANGUAGE_FACTS[one].name}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft"
      />
    </div>
  )
}
