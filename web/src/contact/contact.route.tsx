import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { focusOnMount } from '~/auth/AuthForm'
import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import type { Route } from './+types/contact.route'
import { ContactForm, type Sender } from './ContactForm.tsx'
import { ContactLayout } from './ContactLayout.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.contact_title(), description: m.contact_description() })

/** Renders /contact-us (requirements §2). */
export default function ContactPage() {
  const [sender, setSender] = useState<Sender | null>(null)
  const [sent, setSent] = useState(false)
  return (
    <ContactLayout>
      {/* on the page before its text, so that screen readers announce it */}
      <div role="status">{sent && sender && <SentPanel to={sender.email} onAnother={() => setSent(false)} />}</div>
      {!sent && (
        <ContactForm
          previousSender={sender}
          onSent={(newSender) => {
            setSender(newSender)
            setSent(true)
          }}
        />
      )}
    </ContactLayout>
  )
}

type SentPanelProps = { to: string; onAnother: () => void }

/** Says that the message has arrived, and what comes next (requirements §8). */
function SentPanel({ to, onAnother }: SentPanelProps) {
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
