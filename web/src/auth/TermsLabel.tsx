import { ExternalLink } from 'lucide-react'
import { useId } from 'react'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'

/** Stands in the sentence where a link goes. */
const LINK = '\uFFFC'

const LAST_WORD = /\S+$/

/** What one agrees to, with the two pages. They open beside the form: a password cannot be kept for the way back. */
export function TermsLabel() {
  const hint = useId()
  const [before, between, after] = m.signup_terms({ terms: LINK, privacy: LINK }).split(LINK)
  const link = (path: string, text: string) => (
    <a href={href(path)} target="_blank" rel="noopener" aria-describedby={hint} className="link">
      {text.replace(LAST_WORD, '')}
      {/* the sign never stands alone on a line */}
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
