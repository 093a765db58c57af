import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { type AdminDispute, markDocuments } from '#contract/admin.ts'
import { call } from '~/lib/http/api'
import { isLastMutation } from '~/lib/query/mutations'
import { mapPageItems, type Pages } from '~/lib/query/paged'
import { toast } from '~/lib/toast/toast'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'
import { disputesQuery } from './queries.ts'

type Mark = { id: string; documents_received: boolean }
/** `at` is the time of the mark. */
type PendingMark = Mark & { at: string }

const mutationKey = [ADMIN_QUERY_KEY, 'documents']

/**
 * Records that the documents of a dispute have arrived, or have not. Lists show it at once through `usePendingMarks`.
 */
export function useMarkDocuments() {
  const queries = useQueryClient()
  return useMutation({
    mutationKey,
    networkMode: 'always',
    scope: { id: 'admin-documents' }, // quick changes reach the server in order
    mutationFn: (mark: Mark) => call(markDocuments, mark),
    onSuccess: (dispute) =>
      queries.setQueryData(disputesQuery.queryKey, (data: Pages<AdminDispute> | undefined) =>
        mapPageItems(data, (disputes) => disputes.map((other) => (other.id === dispute.id ? dispute : other))),
      ),
    onError: (error) => toast.error(error),
    onSettled: () => {
      if (isLastMutation(queries, mutationKey)) void queries.invalidateQueries({ queryKey: [ADMIN_QUERY_KEY] })
    },
  })
}

/** Returns the marks in flight, the latest last. */
export const usePendingMarks = (): PendingMark[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => ({ ...(state.variables as Mark), at: new Date(state.submittedAt).toISOString() }),
  })

/** Returns the disputes with these marks applied; the server will record a slightly different time. */
export const applyMarks = (disputes: AdminDispute[], marks: PendingMark[]): AdminDispute[] =>
  disputes.map((dispute) => {
    const mark = marks.findLast(({ id }) => id === dispute.id)
    if (!mark) return dispute
    const received = mark.documents_received ? (dispute.documents_received_at ?? mark.at) : null
    return { ...dispute, documents_received_at: received }
  })
