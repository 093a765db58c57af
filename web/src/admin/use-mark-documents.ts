import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { type AdminDispute, markDocuments } from '#contract/admin.ts'
import { call } from '~/lib/api'
import { toast } from '~/lib/toast'
import { ADMIN_KEY } from './admin-key.ts'
import { disputesQuery, type Pages, withItems } from './list-queries.ts'

type Mark = { id: string; documents_received: boolean }
/** `at` is when it was made. */
type MarkUnderWay = Mark & { at: string }

const mutationKey = [ADMIN_KEY, 'documents']

/** Notes that a challenger's documents came, or takes the note back. Lists show it at once by `useMarksUnderWay`. */
export function useMarkDocuments() {
  const queries = useQueryClient()
  return useMutation({
    mutationKey,
    networkMode: 'always',
    scope: { id: 'admin-documents' }, // quick changes of mind reach the server in their order
    mutationFn: (mark: Mark) => call(markDocuments, mark),
    onSuccess: (dispute) =>
      queries.setQueryData(disputesQuery.queryKey, (data: Pages<AdminDispute> | undefined) =>
        withItems(data, (disputes) => disputes.map((other) => (other.id === dispute.id ? dispute : other))),
      ),
    onError: (error) => toast.error(error),
    onSettled: () => {
      // after the last of several quick marks only: an answer in between would show the earlier state again
      if (queries.isMutating({ mutationKey }) === 1) void queries.invalidateQueries({ queryKey: [ADMIN_KEY] })
    },
  })
}

/** Marks on their way to the server, the latest last. */
export const useMarksUnderWay = (): MarkUnderWay[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => ({ ...(state.variables as Mark), at: new Date(state.submittedAt).toISOString() }),
  })

/** Disputes as they will be with these marks, but for the exact time the server will note. */
export const withMarks = (disputes: AdminDispute[], marks: MarkUnderWay[]): AdminDispute[] =>
  disputes.map((dispute) => {
    const mark = marks.findLast(({ id }) => id === dispute.id)
    if (!mark) return dispute
    const received = mark.documents_received ? (dispute.documents_received_at ?? mark.at) : null
    return { ...dispute, documents_received_at: received }
  })
