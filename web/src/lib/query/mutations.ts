import {
  type MutationKey,
  type QueryKey,
  type UseMutationOptions,
  useMutation,
  useMutationState,
} from '@tanstack/react-query'
import { toast } from '~/lib/toast/toast'
import { queryClient } from './query-client.ts'

type Undo = () => void

type Options<Input> = Pick<UseMutationOptions<unknown, Error, Input, Undo>, 'scope' | 'networkMode' | 'onSuccess'> & {
  mutationKey: MutationKey
  mutationFn: (input: Input) => Promise<unknown>
  /** Begins the keys of what it changes on the screen; that is refetched afterwards. */
  queryKey: QueryKey
  /** Shows the change, and returns what takes it back. */
  show: (input: Input) => Undo
  /** Is refetched too. */
  alsoAffects?: QueryKey
}

/**
 * Makes a change that is on the screen at once, and taken back when the server refuses it. After several quick ones only the last
 * refetches: a response from before it would show an earlier state again.
 */
export function useOptimisticMutation<Input>({ queryKey, show, alsoAffects, ...options }: Options<Input>) {
  return useMutation<unknown, Error, Input, Undo>({
    ...options,
    onMutate: async (input) => {
      await queryClient.cancelQueries({ queryKey })
      return show(input)
    },
    onError: (error, _input, undo) => {
      undo?.()
      toast.error(error)
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: options.mutationKey }) !== 1) return
      if (alsoAffects) void queryClient.invalidateQueries({ queryKey: alsoAffects })
      return queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** Returns what the mutations in flight were called with. One that fails is no longer among them, which undoes it on the screen. */
export const usePendingInputs = <Input>(mutationKey: MutationKey): Input[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Input,
  })
