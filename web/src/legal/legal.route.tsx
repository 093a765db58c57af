import { ChevronDown } from 'lucide-react'
import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import privacyEn from '#legal/en/privacy.json'
import termsEn from '#legal/en/terms.json'
import privacyFr from '#legal/fr-CA/privacy.json'
import termsFr from '#legal/fr-CA/terms.json'
import { canonicalPath, getLocale, type Locale } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/legal.route'
import type { LegalText } from './legal-text.ts'
import { BlockContent, BulletList, withNonBreakingSpaces } from './RichText.tsx'

const TEXTS: Record<string, Record<Locale, LegalText>> = {
  [paths.terms()]: { en: termsEn, 'fr-CA': termsFr },
  [paths.privacy()]: { en: privacyEn, 'fr-CA': privacyFr },
}

const textAt = (pathname: string) => TEXTS[canonicalPath(pathname)]![getLocale()]

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => publicPageMeta(location, textAt(location.pathname))

/**
 * Renders /terms-and-conditions and /privacy (requirements §2): numbered sections that can be linked to. Prerendered
 * without scripts.
 */
export default function LegalPage() {
  const text = textAt(useLocation().pathname)
  const numbered = Object.entries(text.sections).map(([id, section], index) => ({ id, ...section, number: index + 1 }))
  return (
    <div className="mx-auto max-w-6xl px-4 pt-10 pb-20 sm:px-6 sm:pt-16 sm:pb-28 print:pt-6 print:pb-0">
      <header className="grid gap-3 border-b border-line pb-8">
        <h1 className="text-4xl font-black tracking-[-0.025em] sm:text-5xl">{text.title}</h1>
        <p className="flex flex-wrap gap-x-2 text-ink-soft max-sm:text-sm">
          {withNonBreakingSpaces(text.updated)}
          <a href="#changed" className="link">
            {m.legal_changed()}
          </a>
        </p>
      </header>
      <div className="pt-6 lg:grid lg:grid-cols-[16.5rem_minmax(0,42rem)] lg:gap-x-16 lg:pt-10 print:block">
        <TableOfContents sections={numbered} />
        <article>
          <LegalSummary points={text.inShort} />
          {numbered.map(({ id, number, title, blocks }) => (
            <section key={id} className="pt-12">
              <h2 id={id} className="pb-4 text-2xl font-extrabold break-after-avoid target:text-pine">
                {number}. {withNonBreakingSpaces(title)}
              </h2>
              <div className="grid gap-4 text-[1.0625rem] leading-[1.65] lg:text-lg lg:leading-[1.65] print:text-base">
                {blocks.map((block) => (
                  <BlockContent key={JSON.stringify(block)} block={block} />
                ))}
              </div>
            </section>
          ))}
          <div id="changed" className="grid gap-3 pt-12 text-ink-soft">
            <strong className="text-ink">{m.legal_changed()}</strong>
            <p>
              <span className="block">{withNonBreakingSpaces(text.updated)}</span>
              {withNonBreakingSpaces(text.changed)}
            </p>
            <p>
              {/* the day of the first version (requirements §1), which people agree to */}
              <span className="block">{m.legal_updated()}</span>
              {m.legal_first()}
            </p>
          </div>
        </article>
      </div>
    </div>
  )
}

type Contents = { sections: readonly { id: string; number: number; title: string }[] }

/**
 * Links to the sections: beside the text where there is room, else folded up above it. Only one of the two is
 * displayed.
 */
function TableOfContents({ sections }: Contents) {
  return (
    <>
      <details className="group mb-8 rounded-xl border border-line bg-surface lg:hidden print:hidden">
        <summary className="flex min-h-13 items-center justify-between rounded-xl px-5 font-bold">
          {m.legal_contents()}
          <ChevronDown
            aria-hidden="true"
            className="size-5 text-ink-soft transition-transform group-open:rotate-180 motion-reduce:transition-none"
          />
        </summary>
        <nav aria-label={m.legal_contents()} className="border-t border-line px-2 py-2">
          <SectionLinks sections={sections} />
        </nav>
      </details>
      <nav
        aria-label={m.legal_contents()}
        className="sticky top-24 -ml-3 hidden max-h-[calc(100dvh-7rem)] self-start overflow-y-auto pb-2 lg:block print:hidden"
      >
        <p className="px-3 pb-2 text-sm font-bold text-ink-soft">{m.legal_contents()}</p>
        <SectionLinks sections={sections} />
      </nav>
    </>
  )
}

function SectionLinks({ sections }: Contents) {
  return (
    // beside the text the section being read is marked, in browsers that know it
    <ol className="grid lg:[scroll-target-group:auto]">
      {sections.map(({ id, number, title }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="grid min-h-11 grid-cols-[2rem_1fr] items-center rounded-lg px-3 py-1.5 leading-tight text-ink-soft hover:bg-ink/6 hover:text-ink [&:target-current]:bg-pine-soft [&:target-current]:font-bold [&:target-current]:text-ink"
          >
            <span className="tabular-nums">{number}.</span>
            {withNonBreakingSpaces(title)}
          </a>
        </li>
      ))}
    </ol>
  )
}

function LegalSummary({ points }: { points: readonly string[] }) {
  return (
    <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-7 print:shadow-none">
      <p className="pb-3 font-extrabold">
        {m.legal_in_short()} <span className="font-normal text-ink-soft">{m.legal_in_short_note()}</span>
      </p>
      <BulletList points={points} />
    </div>
  )
}
