import { useState } from 'react'
import { ContactForm, type Sender } from './ContactForm.tsx'
import { ContactLayout } from './ContactLayout.tsx'
import { ContactSentPanel } from './ContactSentPanel.tsx'

/** /contact-us (requirements §2). */
export function ContactPage() {
  const [sender, setSender] = useState<Sender | null>(null)
  const [sent, setSent] = useState(false)
  return (
    <ContactLayout>
      {/* there before its text, so that a screen reader notices it */}
      <div role="status">
        {sent && sender && <ContactSentPanel to={sender.email} onAnother={() => setSent(false)} />}
      </div>
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
