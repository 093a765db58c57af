import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteDocument } from '#contract/documents.ts'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { documentsQuery, reloadDocuments } from './queries.ts'

/** Deletes a document that was sent. */
export function useRemoveDocument(vehicleId: string) {
  const queries = useQueryClient()
  const { queryKey } = documentsQuery(vehicleId)
  return useMutation({
    mutationFn: (id: string) => call(deleteDocument, { id }, { withTimeout: true }),
    onSuccess: (_, removedId) => {
      queries.setQueryData(queryKey, (known) =>
        known ? { ...known, items: known.items.filter(({ id }) => id !== removedId) } : known,
      )
      toast.success(m.documents_removed())
    },
    onError: (error) => toast.error(error),
    onSettled: () => reloadDocuments(queries, vehicleId),
  })
}
