import { m } from '~/paraglide/messages'

/** Skips the navigation and leads to #content; the first stop of the Tab key. */
export function SkipLink() {
  return (
    <a href="#content" className="skip-link fixed top-2 left-2 z-50 rounded-lg bg-ink px-4 py-3 font-bold text-paper">
      {m.skip_to_content()}
    </a>
  )
}
