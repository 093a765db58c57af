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

/** Takes a step about a witness, and refetches the messages, also after a failure: the other side may have acted meanwhile. */
function useWitnessStep<Input>(take: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: take,
    onError: (error) => toast.error(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
}

/** Asks the witness who wrote a message for a contact. */
export const useAskWitness = () => useWitnessStep((id: string) => call(askWitness, { id }))

/** Gives a contact to the owner who asked for it, or declines. */
export const useAnswerWitness = () =>
  useWitnessStep((input: { id: string; release: boolean; contact?: WitnessContact }) => call(answerWitness, input))

/** Withdraws the offer to be a witness, while no contact has been given. */
export const useWithdrawWitness = () => useWitnessStep((id: string) => call(withdrawWitness, { id }))
