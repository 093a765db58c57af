import { ChevronDown } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { withNonBreakingSpaces } from './RichText.tsx'

type Props = { sections: readonly { id: string; number: number; title: string }[] }

/**
 * Links to the sections: beside the text where there is room, else folded up above it. Only one of the two is
 * displayed.
 */
export function TableOfContents({ sections }: Props) {
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

function SectionLinks({ sections }: Props) {
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
