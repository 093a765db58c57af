import { useRevalidator } from 'react-router'
import { ApiError } from '~/lib/http/api'
import { ErrorState } from '~/ui/ErrorState'

/**
 * In a layout's place when no answer came about who is signed in. What a page threw is for the screen of last resort.
 */
export function SessionError({ error }: { error: unknown }) {
  const { revalidate } = useRevalidator()
  if (!(error instanceof ApiError)) throw error
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl content-center px-4 py-16">
      <ErrorState error={error} onRetry={() => void revalidate()} />
    </main>
  )
}
