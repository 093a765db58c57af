import { Phone, Siren } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from './button-class.ts'

type Props = {
  title: ReactNode
  /** The text of the button: 'Call 911'. */
  call: string
  children?: ReactNode
  /** A second button. */
  action?: ReactNode
}

/** Says that somebody may be in danger, and has the button that calls 911. */
export const EmergencyCall = ({ title, call, children, action }: Props) => (
  <div className="grid gap-4 rounded-xl border-2 border-danger bg-danger-soft p-4">
    <div className="flex items-start gap-3">
      <Siren aria-hidden="true" className="size-7 shrink-0 text-danger" />
      <div className="grid gap-1.5">
        <div className="text-xl leading-snug font-extrabold text-balance text-danger">{title}</div>
        {children}
      </div>
    </div>
    <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
      <a href="tel:911" className={buttonClass('danger', 'lg', 'min-[18rem]:whitespace-nowrap')}>
        <Phone aria-hidden="true" className="size-5" />
        {call}
      </a>
      {action}
    </div>
  </div>
)
