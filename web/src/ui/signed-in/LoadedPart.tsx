import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { loadModule } from '~/lib/http/load-module'
import { ErrorState } from '~/ui/ErrorState'
import { Loading } from '~/ui/Skeleton'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  /** Is shown meanwhile. */
  skeleton: ReactNode
  /** Names what failed to load, where that is not obvious. */
  failedTitle?: string
  children: (data: Data) => ReactNode
}

/** Shows what a query has fetched; meanwhile a skeleton, or why it failed. */
export function Loaded<Data>({ query: { data, error, refetch }, skeleton, failedTitle, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorState title={failedTitle} error={error} onRetry={() => void refetch()} />
  return <Loading>{skeleton}</Loading>
}

type PartProps<Module> = {
  /** Names the part; the same name means the same code. */
  name: string
  load: () => Promise<Module>
  skeleton: ReactNode
  children: (module: Module) => ReactNode
}

/** Shows a part of a page whose code is loaded with it. When that fails, the part alone says so, and tries again. */
export function LoadedPart<Module>({ name, load, skeleton, children }: PartProps<Module>) {
  const { data, error, refetch } = useQuery({
    queryKey: ['code', name],
    queryFn: () => loadModule(load()),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  if (data) return children(data)
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : skeleton
}
