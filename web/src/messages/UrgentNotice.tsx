import { Phone, Siren } from 'lucide-react'
import { type Ref, useId } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'

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
      className="grid scroll-mt-20 gap-4 rounded-xl border-2 border-danger bg-danger-soft p-4 outline-none sm:p-5"
    >
      <div className="flex items-start gap-3">
        <Siren aria-hidden="true" className="mt-0.5 size-7 shrink-0 text-danger" />
        <div className="grid gap-1.5">
          <h2 id={`${id}-title`} className="text-xl font-extrabold text-danger">
            {m.send_urgent_title()}
          </h2>
          <p id={`${id}-text`}>{m.send_urgent_text()}</p>
          <p className="text-sm text-ink-soft">{m.send_urgent_text_911()}</p>
        </div>
      </div>
      <div className="flex flex-col gap-3 sm:flex-row">
        <a href="tel:911" className={buttonClass('danger', 'lg')}>
          <Phone aria-hidden="true" className="size-5" />
          {m.send_urgent_call()}
        </a>
        {onContinue && (
          <Button size="lg" onClick={onContinue}>
            {m.send_urgent_continue()}
          </Button>
        )}
      </div>
    </section>
  )
}
