import { Moon, Sun } from 'lucide-react'
import { THEME_SWITCH } from '~/lib/page/inline-head-attributes'
import { m } from '~/paraglide/messages'
import { Button } from './Button.tsx'

/**
 * Switches between light and dark. The inline head script does the switching, so that it works on pages without other
 * scripts; which of the two icons is shown is up to the style sheet. Without any script the button is not shown.
 */
export function ThemeSwitch() {
  return (
    <Button variant="ghost" size="icon" className="hidden! scripted:inline-flex!" {...{ [THEME_SWITCH]: '' }}>
      <span className="dark:hidden">
        <Moon aria-hidden="true" className="size-5" />
        <span className="sr-only">{m.theme_to_dark()}</span>
      </span>
      <span className="hidden dark:inline">
        <Sun aria-hidden="true" className="size-5" />
        <span className="sr-only">{m.theme_to_light()}</span>
      </span>
    </Button>
  )
}
