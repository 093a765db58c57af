import { ChevronDown } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { section, sectionTitle } from './section-classes.ts'

type FaqItem = {
  /** The target of a link to the answer (`/#faq-…`), the same in both languages. */
  id: `faq-${string}`
  question: () => string
  answer: () => string
}

/** The questions and answers of the landing page, in order. */
export const faqItems: readonly FaqItem[] = [
  { id: 'faq-what', question: m.faq_1_q, answer: m.faq_1_a },
  { id: 'faq-price', question: m.faq_2_q, answer: m.faq_2_a },
  { id: 'faq-documents', question: m.faq_3_q, answer: m.faq_3_a },
  { id: 'faq-anonymity', question: m.faq_4_q, answer: m.faq_4_a },
  { id: 'faq-encryption', question: m.faq_5_q, answer: m.faq_5_a },
  { id: 'faq-notices', question: m.faq_6_q, answer: m.faq_6_a },
  { id: 'faq-replies', question: m.faq_7_q, answer: m.faq_7_a },
  { id: 'faq-disputes', question: m.faq_8_q, answer: m.faq_8_a },
  { id: 'faq-sold', question: m.faq_9_q, answer: m.faq_9_a },
  { id: 'faq-app', question: m.faq_10_q, answer: m.faq_10_a },
]

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
