import { siteSetting } from '~/lib/page/site'
import { EmailLink } from '~/ui/EmailLink'

/**
 * Who answers for personal information, and how to reach that person (Quebec wants both published). Name and postal address
 * may be empty, which only the server knows: an empty line is not shown.
 */
export function PersonInCharge({ office }: { office: string }) {
  return (
    <address className="grid justify-items-start gap-1 rounded-xl border-l-4 border-pine bg-pine-soft px-5 py-4 not-italic">
      <span className="font-bold">{office}</span>
      <span className="empty:hidden">{siteSetting('PRIVACY_OFFICER')}</span>
      <span>{siteSetting('MAIL_SENDER_NAME')}</span>
      <span className="whitespace-pre-line empty:hidden">{siteSetting('MAIL_POSTAL_ADDRESS')}</span>
      <EmailLink address={siteSetting('PRIVACY_EMAIL')} className="inline-flex min-h-11 items-center" />
    </address>
  )
}
