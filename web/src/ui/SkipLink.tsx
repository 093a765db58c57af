import { m } from '~/paraglide/messages'

/** The first stop of the Tab key: over the navigation, to #content. */
export function SkipLink() {
  return (
    <a href="#content" className="skip-link fixed top-2 left-2 z-50 rounded-lg bg-ink px-4 py-3 font-bold text-paper">
      {m.skip_to_content()}
    </a>
  )
}
