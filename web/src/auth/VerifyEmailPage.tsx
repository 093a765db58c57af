import { useState } from 'react'
import { useHydrated } from '~/lib/use-hydrated'
import { m } from '~/paraglide/messages'
import { AuthSkeleton } from './AuthSkeleton.tsx'
import { CheckInbox } from './CheckInbox.tsx'
import { OpenLink } from './OpenLink.tsx'
import { useLinkFragment } from './use-link-fragment.ts'

export function VerifyEmailPage() {
  // what the page is for stands in the address and in the storage of the browser, which the written page knows nothing of
  return useHydrated() ? <VerifyEmail /> : <AuthSkeleton text={m.loading()} />
}

function VerifyEmail() {
  const fragment = useLinkFragment()
  const [linkOver, setLinkOver] = useState(fragment.state === 'refused' || fragment.state === 'incomplete')
  if (fragment.state === 'tokens' && !linkOver) return <OpenLink tokens={fragment} onOver={() => setLinkOver(true)} />
  return <CheckInbox linkOver={linkOver} />
}
