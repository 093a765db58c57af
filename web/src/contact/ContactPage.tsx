import { useState } from 'react'
import { ContactForm, type Sender } from './ContactForm.tsx'
import { ContactFrame } from './ContactFrame.tsx'
import { SentPanel } from './SentPanel.tsx'

/** /contact-us (spec §2). */
export function ContactPage() {
  const [sender, setSender] = useState<Sender | null>(null)
  const [sent, setSent] = useState(false)
  return (
    <ContactFrame>
      {/* there before its text, so that a screen reader notices it */}
      <div role="status">{sent && sender && <SentPanel to={sender.email} onAnother={() => setSent(false)} />}</div>
      {!sent && (
        <ContactForm
          again={sender}
          onSent={(who) => {
            setSender(who)
            setSent(true)
          }}
        />
      )}
    </ContactFrame>
  )
}
