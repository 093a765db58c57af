import { m } from '~/paraglide/messages'

/** Skips the navigation and leads to #content; the first stop of the Tab key. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only z-50 rounded-lg bg-ink font-bold text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-4 focus:py-3"
    >
      {m.skip_to_content()}
    </a>
  )
}
