import { Moon, Sun } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { buttonClass } from './button-class.ts'

/**
 * Light or dark. boot.js does the switching, so that it works on pages without scripts as well; which of the two faces
 * is shown is up to the style sheet. Without any script it is not there.
 */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      data-theme-switch=""
      className={buttonClass('ghost', 'icon', 'hidden! scripted:inline-flex!')}
    >
      <span className="dark:hidden">
        <Moon aria-hidden="true" className="size-5" />
        <span className="sr-only">{m.theme_to_dark()}</span>
      </span>
      <span className="hidden dark:inline">
        <Sun aria-hidden="true" className="size-5" />
        <span className="sr-only">{m.theme_to_light()}</span>
      </span>
    </button>
  )
}
