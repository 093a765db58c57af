import en from '#legal/en/accessibility.json'
import fr from '#legal/fr-CA/accessibility.json'
import { getLocale } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import type { Route } from './+types/accessibility.route'
import type { AccessibilityText } from './legal-text.ts'
import { BlockContent, withNonBreakingSpaces } from './RichText.tsx'

const textInLocale = (): AccessibilityText => ({ en, 'fr-CA': fr })[getLocale()]

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => publicPageMeta(location, textInLocale())

/** Renders /accessibility: what works for whom, what does not yet, and how to say so. Prerendered without scripts. */
export default function AccessibilityPage() {
  const text = textInLocale()
  return (
    <article className="mx-auto max-w-3xl px-4 pt-10 pb-20 sm:px-6 sm:pt-16 sm:pb-28 print:pt-6 print:pb-0">
      <header className="grid gap-4 border-b border-line pb-8">
        <h1 className="text-4xl font-black tracking-[-0.025em] sm:text-5xl">{text.title}</h1>
        <p className="text-lg text-ink-soft">{withNonBreakingSpaces(text.intro)}</p>
      </header>
      {text.sections.map(({ title, blocks }) => (
        <section key={title} className="pt-10">
          <h2 className="pb-4 text-2xl font-extrabold break-after-avoid">{withNonBreakingSpaces(title)}</h2>
          <div className="grid gap-4 text-[1.0625rem] leading-[1.65]">
            {blocks.map((block) => (
              <BlockContent key={JSON.stringify(block)} block={block} />
            ))}
          </div>
        </section>
      ))}
    </article>
  )
}
