import { useRevalidator } from 'react-router'
import { ApiError } from '~/lib/http/api'
import { ErrorState } from '~/ui/ErrorState'

/** Replaces a layout whose loader got no response about the user. Rethrows what a page threw, for the root's error page. */
export function SessionError({ error }: { error: unknown }) {
  const { revalidate } = useRevalidator()
  if (!(error instanceof ApiError)) throw error
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl content-center px-4 py-16">
      <ErrorState error={error} onRetry={() => void revalidate()} />
    </main>
  )
}
