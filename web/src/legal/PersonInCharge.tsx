import { site } from '~/lib/site'
import { MailLink } from '~/ui/MailLink'

/**
 * Who answers for personal information, and how to reach that person (Quebec wants both published). Name and postal address
 * may be empty, which only the server knows: an empty line is not shown.
 */
export function PersonInCharge({ office }: { office: string }) {
  return (
    <address className="grid justify-items-start gap-1 rounded-xl border-l-4 border-pine bg-pine-soft px-5 py-4 not-italic">
      <span className="font-bold">{office}</span>
      <span className="empty:hidden">{site('PRIVACY_OFFICER')}</span>
      <span>{site('MAIL_SENDER_NAME')}</span>
      <span className="whitespace-pre-line empty:hidden">{site('MAIL_POSTAL_ADDRESS')}</span>
      <MailLink address={site('PRIVACY_EMAIL')} className="inline-flex min-h-11 items-center" />
    </address>
  )
}
