import { MailCheck } from 'lucide-react'
import { focusOnMount } from '~/auth/focus-on-mount'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

type Props = { to: string; onAnother: () => void }

/** The message has arrived: what comes next, and where (requirements §8). */
export function ContactSentPanel({ to, onAnother }: Props) {
  return (
    <div className="grid justify-items-start gap-4">
      <MailCheck aria-hidden="true" className="size-10 text-good" strokeWidth={1.5} />
      <h2 ref={focusOnMount} tabIndex={-1} className="text-2xl font-extrabold outline-none">
        {m.contact_sent_title()}
      </h2>
      <div className="grid max-w-prose gap-2">
        <p className="text-lg">{m.contact_sent_text()}</p>
        <p className="wrap-anywhere text-ink-soft">{m.contact_sent_to({ email: to })}</p>
      </div>
      <Button onClick={onAnother}>{m.contact_another()}</Button>
    </div>
  )
}
