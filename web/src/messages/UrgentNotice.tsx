import { type Ref, useId } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmergencyCall } from '~/ui/EmergencyCall'

type Props = {
  ref: Ref<HTMLElement>
  /** Continues with the form; null once it does. */
  onContinue: (() => void) | null
}

/**
 * Asks to call for help before anything else, for somebody in a vehicle. The form focuses it, so that it is announced.
 */
export function UrgentNotice({ ref, onContinue }: Props) {
  const id = useId()
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className="grid scroll-mt-20 gap-3 outline-none"
    >
      <EmergencyCall title={<h2 id={`${id}-title`}>{m.send_urgent_title()}</h2>} call={m.call_911()}>
        <p id={`${id}-text`}>{m.send_urgent_text()}</p>
        <p className="text-sm text-ink-soft">{m.send_urgent_text_911()}</p>
      </EmergencyCall>
      {onContinue && (
        <Button size="lg" onClick={onContinue}>
          {m.send_urgent_continue()}
        </Button>
      )}
    </section>
  )
}
