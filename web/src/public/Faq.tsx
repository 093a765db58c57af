import { ChevronDown } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { faqItems } from './faq-items.ts'
import { section, sectionTitle } from './section-classes.ts'

/**
 * Shows ten questions, one open at a time: `details` that share a name close each other without scripts. The id is on
 * the answer, because browsers open the `details` around the target of a link.
 */
export function Faq() {
  return (
    <section id="faq" className={section}>
      <div className="grid gap-2 sm:gap-8 lg:grid-cols-[1fr_1.9fr] lg:gap-16">
        <div className="lg:sticky lg:top-28 lg:self-start">
          <h2 className={sectionTitle}>{m.faq_title()}</h2>
          <p className="text-ink-soft sm:pt-2 sm:text-lg">
            {m.faq_text()}{' '}
            <Link to={paths.contact()} className="link inline-flex min-h-11 items-center">
              {m.faq_contact_link()}
            </Link>
          </p>
        </div>
        <div className="divide-y divide-line border-y border-line">
          {faqItems.map(({ id, question, answer }) => (
            <details key={id} name="faq" className="answer group">
              <summary className="flex min-h-11 items-center justify-between gap-3 rounded-lg py-2 text-[0.9375rem] leading-snug font-bold sm:min-h-14 sm:text-lg hover:text-pine">
                {question()}
                <ChevronDown
                  aria-hidden="true"
                  className="size-5 shrink-0 text-ink-soft transition-transform group-open:rotate-180"
                />
              </summary>
              <p id={id} className="max-w-prose scroll-mt-40 pr-9 pb-5 text-ink-soft">
                {answer()}
              </p>
            </details>
          ))}
        </div>
      </div>
    </section>
  )
}
