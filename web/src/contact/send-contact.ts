import { type ContactForm, sendEmail } from '#contract/contact.ts'
import { call } from '~/lib/http/api'

/** The pause before a message leaves (requirements §9). */
const DELAY_MS = 1000

/** Sends a message to the support team. Throws `ApiError`. */
export async function sendContactMessage(message: ContactForm): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, DELAY_MS))
  await call(sendEmail, { type: 'contact', ...message })
}
