import type { ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { BothWaysMark, BubblesMark, GateMark, LockMark } from './art/value-marks.tsx'

const values: { mark: () => ReactNode; title: () => string; text: () => string }[] = [
  { mark: BothWaysMark, title: m.about_privacy_title, text: m.about_privacy_text },
  { mark: GateMark, title: m.about_barriers_title, text: m.about_barriers_text },
  { mark: LockMark, title: m.about_security_title, text: m.about_security_text },
]

/** Shows the four values of requirements §2. */
export function AboutValues() {
  return (
    <section className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
      <h2 className="text-3xl font-extrabold sm:text-4xl">{m.about_values_title()}</h2>
      <ul className="grid gap-x-12 gap-y-10 pt-12 sm:grid-cols-2">
        {values.map(({ mark: Mark, title, text }) => (
          <Value key={title()} mark={<Mark />} title={title()}>
            {text()}
          </Value>
        ))}
        <Value mark={<BubblesMark />} title={m.about_community_title()}>
          {m.about_community_text()}{' '}
          <a href={href(paths.contact())} className="link">
            {m.about_community_link()}
          </a>
        </Value>
      </ul>
    </section>
  )
}

type ValueProps = { mark: ReactNode; title: string; children: ReactNode }

function Value({ mark, title, children }: ValueProps) {
  return (
    <li className="grid content-start gap-x-6 gap-y-4 lg:grid-cols-[6rem_1fr]">
      {mark}
      <div className="grid content-start gap-1.5">
        <h3 className="text-xl font-extrabold">{title}</h3>
        <p className="max-w-prose text-ink-soft">{children}</p>
      </div>
    </li>
  )
}
