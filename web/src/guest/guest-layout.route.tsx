import { ChevronDown, Languages } from 'lucide-react'
import { Outlet, useLocation } from 'react-router'
import { GUEST_LANGUAGE_FACTS, GUEST_LANGUAGES } from '#contract/guest-languages.ts'
import { paths } from '#contract/paths.ts'
import { NarrowLayout } from '~/frame/NarrowLayout'
import { canonicalPath } from '~/lib/i18n/i18n'
import { guestLanguageSlot, guestTexts } from './guest-texts.ts'

/**
 * Shows the pages for people at a vehicle who have no account, in one of ten languages.
 */
export default function GuestLayout() {
  return (
    <NarrowLayout
      languages={<GuestLanguageForm />}
      legalWords={{ ...guestTexts().common, prefix: guestLanguageSlot('prefix') }}
      className="pt-4 sm:pt-10"
      lang={guestLanguageSlot('tag')}
      dir={guestLanguageSlot('direction')}
    >
      <Outlet />
    </NarrowLayout>
  )
}

/** Lets a guest choose one of the ten languages, each by its own name; scripts need no button for it (tags/tag-script.ts). */
function GuestLanguageForm() {
  const isReceipt = canonicalPath(useLocation().pathname) === paths.receipt() // whose address without scripts shows nothing
  const visibility = isReceipt ? 'hidden scripted:flex' : 'flex'
  return (
    <form method="get" data-language-form="" className={`${visibility} min-w-0 items-center gap-1`}>
      <div className="relative min-w-0">
        <Languages
          aria-hidden="true"
          className="pointer-events-none absolute start-3 top-1/2 size-5 -translate-y-1/2 text-ink-soft"
        />
        <select
          name="language"
          aria-label={guestTexts().common.language}
          className="control w-auto! max-w-full appearance-none text-ellipsis py-2! ps-10! pe-9! font-semibold"
        >
          {GUEST_LANGUAGES.map((one) => {
            const { tag, direction, name } = GUEST_LANGUAGE_FACTS[one]
            return (
              <option key={one} value={one} lang={tag} dir={direction}>
                {name}
              </option>
            )
          })}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft"
        />
      </div>
      <button type="submit" className="min-h-11 min-w-11 rounded-lg px-2 font-bold scripted:hidden">
        OK
      </button>
    </form>
  )
}
