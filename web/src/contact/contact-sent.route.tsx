import { MailCheck } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import type { Route } from './+types/contact-sent.route'

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.contact_sent_title(), description: m.contact_sent_description(), indexed: false })

/** Renders /contact-us/sent, the page after a form that was accepted (requirements §8). */
export default function ContactSentPage() {
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-4 px-4 py-20 text-center sm:py-28">
      <MailCheck aria-hidden="true" className="size-12 text-good" strokeWidth={1.5} />
      <h1 tabIndex={-1} className="text-3xl outline-none font-extrabold sm:text-4xl">
        {m.contact_sent_title()}
      </h1>
      <p className="text-lg">{m.contact_sent_text()}</p>
      <p data-sent-to={m.contact_sent_to({ email: '{email}' })} className="text-balance text-ink-soft">
        {m.contact_sent_where()}
      </p>
      <div className="flex flex-wrap justify-center gap-3 pt-4">
        <ButtonLink to={paths.home()} reloadDocument variant="primary">
          {m.contact_home()}
        </ButtonLink>
        <ButtonLink to={paths.contact()} reloadDocument>
          {m.contact_another()}
        </ButtonLink>
      </div>
    </div>
  )
}
