import { ChevronDown } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { faqItems } from './faq-items.ts'

/** Ten questions, one open at a time: details that share a name close each other, without scripts. */
export function Faq() {
  return (
    <section id="faq" className="mx-auto max-w-3xl px-4 py-16 sm:px-6 sm:py-24">
      <h2 className="pb-8 text-3xl font-extrabold sm:text-4xl">{m.faq_title()}</h2>
      <div className="divide-y divide-line border-y border-line">
        {faqItems.map(([question, answer]) => (
          <details key={question()} name="faq" className="answer group">
            <summary className="flex min-h-14 items-center justify-between gap-4 rounded-lg py-3 text-lg font-bold">
              {question()}
              <ChevronDown
                aria-hidden="true"
                className="size-5 shrink-0 text-ink-soft transition-transform group-open:rotate-180"
              />
            </summary>
            <p className="max-w-prose pb-5 text-ink-soft">{answer()}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
