import { ExternalLink } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { paths } from '#contract/paths.ts'
import { MINIMUM_AGE, MINIMUM_AGE_IN_QUEBEC } from '#contract/terms.ts'
import { href } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Checkbox } from '~/ui/Checkbox'

/** Asks for the consent to the terms, and with it for the statement about the age (decision 0092). */
export const TermsCheckbox = (props: Omit<ComponentProps<typeof Checkbox>, 'label' | 'hint'>) => (
  <Checkbox
    label={<TermsLabel />}
    hint={m.signup_terms_age({ age: MINIMUM_AGE, quebec: MINIMUM_AGE_IN_QUEBEC })}
    {...props}
  />
)

/** Marks the place of a link in the sentence. */
const LINK_MARK = '\uFFFC'

const LAST_WORD = /\S+$/

/** Says what is agreed to. The two pages open in new tabs: on the way back the passwords of a sign-up would be gone. */
function TermsLabel() {
  const hint = useId()
  const [before, between, after] = m.signup_terms({ terms: LINK_MARK, privacy: LINK_MARK }).split(LINK_MARK)
  const link = (path: string, text: string) => (
    <a href={href(path)} target="_blank" rel="noopener" aria-describedby={hint} className="link">
      {text.replace(LAST_WORD, '')}
      {/* keeps the icon on the line of the last word */}
      <span className="whitespace-nowrap">
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
