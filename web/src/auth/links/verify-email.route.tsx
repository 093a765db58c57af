import { useEffect, useState } from 'react'
import { hydrated } from '~/auth/Opened'
import { getPendingEmail, rememberSendIntent } from '~/auth/pending-sign-up'
import { wantedPage } from '~/auth/safe-redirect'
import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/verify-email.route'
import { CheckInbox } from './CheckInbox.tsx'
import { ConfirmEmailLink } from './ConfirmEmailLink.tsx'
import { useLinkFragment } from './link-fragment.ts'
import { inspectLink, inspectUnstored, type UnstoredSession } from './link-session.ts'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.page_verify_email(), description: m.verify_description(), indexed: false })

// what to show depends on the address and on the storage of the browser
export default hydrated(function VerifyEmailPage() {
  const fragment = useLinkFragment()
  useEffect(() => rememberSendIntent(getPendingEmail(), wantedPage(location.search)), [])
  const [linkExpired, setLinkExpired] = useState(fragment.state === 'refused' || fragment.state === 'incomplete')
  const [opened, setOpened] = useState<UnstoredSession | null>(null)
  const onExpired = () => {
    setOpened(null)
    setLinkExpired(true)
  }
  if (opened) return <ConfirmEmailLink inspect={() => inspectUnstored(opened)} onExpired={onExpired} />
  if (fragment.state === 'tokens' && !linkExpired)
    return <ConfirmEmailLink inspect={() => inspectLink(fragment)} onExpired={onExpired} />
  return <CheckInbox linkExpired={linkExpired} onOpened={setOpened} />
})
