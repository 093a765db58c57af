import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  answerWitness,
  askWitness,
  getCollisionCard,
  type WitnessContact,
  withdrawWitness,
} from '#contract/collisions.ts'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'

/** Fetches the card of a message. */
export const cardQuery = (id: string) =>
  queryOptions({
    queryKey: ['messages', 'card', id],
    queryFn: ({ signal }) => call(getCollisionCard, { id }, { signal }),
  })

/** Takes a step about a witness; afterwards the messages are read again, also after a failure: the other side may have moved. */
function useWitnessStep<Input>(take: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: take,
    onError: (error) => toast.error(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
}

export const useAskWitness = () => useWitnessStep((id: string) => call(askWitness, { id }))
export const useAnswerWitness = () =>
  useWitnessStep((input: { id: string; release: boolean; contact?: WitnessContact }) => call(answerWitness, input))
export const useWithdrawWitness = () => useWitnessStep((id: string) => call(withdrawWitness, { id }))
