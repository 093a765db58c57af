import { m } from '~/paraglide/messages'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { ProfileSection } from './ProfileSection.tsx'
import { useNearViewport } from './use-near-viewport.ts'

// far down on the page: loaded when it comes near the viewport
const loadEmailChange = () => import('./EmailChange.tsx')

/** Shows the address of the account, and changes it. */
export function EmailAddress() {
  const [content, isNear] = useNearViewport()
  const skeleton = (
    <Loading>
      <Skeleton className="h-12 w-full" />
    </Loading>
  )
  return (
    <ProfileSection title={m.profile_address()} intro={m.profile_address_intro()}>
      <div ref={content} className="grid min-h-12 gap-5">
        {isNear && (
          <LoadedPart name="email change" load={loadEmailChange} skeleton={skeleton}>
            {({ EmailChange }) => <EmailChange skeleton={skeleton} />}
          </LoadedPart>
        )}
      </div>
    </ProfileSection>
  )
}
