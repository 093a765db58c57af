import { Phone, Siren } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from './button-class.ts'

type Props = {
  title: ReactNode
  /** The text of the button: 'Call 911'. */
  call: string
  children?: ReactNode
}

/** Says that somebody may be in danger, and has the button that calls 911. */
export const EmergencyCall = ({ title, call, children }: Props) => (
  <div className="grid gap-4 rounded-xl border-2 border-danger bg-danger-soft p-4">
    <div className="flex items-start gap-3">
      <Siren aria-hidden="true" className="size-7 shrink-0 text-danger" />
      <div className="grid gap-1.5">
        <div className="text-xl leading-snug font-extrabold text-danger">{title}</div>
        {children}
      </div>
    </div>
    <a href="tel:911" className={buttonClass('danger', 'lg', 'sm:justify-self-start')}>
      <Phone aria-hidden="true" className="size-5" />
      {call}
    </a>
  </div>
)
