import { Loading, Skeleton } from '~/ui/Skeleton'

/** Stands where an item, or its texts, will be. */
export const ItemSkeleton = () => (
  <Loading>
    <Skeleton className="h-80 rounded-2xl!" />
  </Loading>
)
