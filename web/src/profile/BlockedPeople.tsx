import { m } from '~/paraglide/messages'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { ProfileSection } from './ProfileSection.tsx'
import { useNearViewport } from './use-near-viewport.ts'

// far down on the page: loaded when it comes near the viewport
const loadList = () => import('~/blocks/BlockList')

/** Shows whom the user has blocked, and ends blocks. */
export function BlockedPeople() {
  const [content, isNear] = useNearViewport()
  return (
    <ProfileSection title={m.profile_blocks()} intro={m.profile_blocks_intro()}>
      <div ref={content} className="grid min-h-12 gap-5">
        {isNear && (
          <LoadedPart name="blocked people" load={loadList} skeleton={<BlocksSkeleton />}>
            {({ BlockList }) => <BlockList skeleton={<BlocksSkeleton />} />}
          </LoadedPart>
        )}
      </div>
    </ProfileSection>
  )
}

function BlocksSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-5 w-64" />
    </Loading>
  )
}
