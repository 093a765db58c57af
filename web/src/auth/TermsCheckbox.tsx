import { ExternalLink } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { localizedPath, paths } from '#contract/paths.ts'
import { MINIMUM_AGE, MINIMUM_AGE_IN_QUEBEC } from '#contract/terms.ts'
import { getLocale, href } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Checkbox } from '~/ui/Checkbox'

/** Asks for the consent to the terms, and with it for the statement about the age (decision terms-consent). */
export const TermsCheckbox = (props: Omit<ComponentProps<typeof Checkbox>, 'label' | 'hint'>) => (
  <Checkbox
    label={<TermsLabel />}
    hint={
      <>
        {m.signup_terms_age({ age: MINIMUM_AGE, quebec: MINIMUM_AGE_IN_QUEBEC })}
        {getLocale() === 'en' && <FrenchFirst />}
      </>
    }
    {...props}
  />
)

/** Marks the position of a link in the sentence. */
const LINK_MARK = '\uFFFC'

/**
 * Hands out the French terms before the English ones are agreed to: in Quebec only then may another language bind (CQLR c. C-11,
 * s. 55). Nobody is asked for a province, so everybody reads it.
 */
function FrenchFirst() {
  const [before, after] = m.signup_terms_french({ link: LINK_MARK }).split(LINK_MARK)
  return (
    <span className="block pt-1.5">
      {before}
      <a
        href={localizedPath(paths.terms(), 'fr-CA')}
        lang="fr-CA"
        hrefLang="fr-CA"
        target="_blank"
        rel="noopener"
        className="link"
      >
        {m.signup_terms_french_link()}
      </a>
      {after}
    </span>
  )
}

const LAST_WORD = /\S+$/

/** Says what is agreed to. The two pages open in new tabs: on the way back the passwords of a sign-up would be gone. */
function TermsLabel() {
  const hint = useId()
  const [before, between, after] = m.signup_terms({ terms: LINK_MARK, privacy: LINK_MARK }).split(LINK_MARK)
  const link = (path: string, text: string) => (
    <a href={href(path)} target="_blank" rel="noopener" aria-describedby={hint} className="link">
      {text.replace(LAST_WORD, '')}
      {/* keeps the icon on the line of the last word */}
      <span className="min-[18rem]:whitespace-nowrap">
        {LAST_WORD.exec(text)?.[0]}
        <ExternalLink aria-hidden="true" className="ml-1 inline size-3.5 align-baseline" />
      </span>
    </a>
  )
  return (
    <>
      {before}
      {link(paths.terms(), m.signup_terms_link())}
      {between}
      {link(paths.privacy(), m.signup_privacy_link())}
      {after}
      <span id={hint} hidden>
        {m.opens_new_tab()}
      </span>
    </>
  )
}
