import type { MutationKey, QueryClient } from '@tanstack/react-query'

/**
 * Returns whether the mutation that is being settled is the only one of its key. After several quick ones, only the last
 * may reload: a response from before it would show an earlier state again.
 */
export const isLastMutation = (queries: QueryClient, mutationKey: MutationKey): boolean =>
  queries.isMutating({ mutationKey }) === 1
