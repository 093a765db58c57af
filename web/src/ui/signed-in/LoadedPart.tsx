import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { loadModule } from '~/lib/http/load-module'
import { ErrorState } from '~/ui/ErrorState'

type Props<Module> = {
  /** Names the part; the same name means the same code. */
  name: string
  load: () => Promise<Module>
  /** Is shown meanwhile. */
  skeleton: ReactNode
  children: (module: Module) => ReactNode
}

/** Shows a part of a page whose code is loaded with it. When that fails, the part alone says so, and tries again. */
export function LoadedPart<Module>({ name, load, skeleton, children }: Props<Module>) {
  const { data, error, refetch } = useQuery({
    queryKey: ['code', name],
    queryFn: () => loadModule(load()),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  if (data) return children(data)
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : skeleton
}
